-- Run once, when the volume is made. What slows the database down: SELECT * FROM pg_stat_statements ORDER BY total_exec_time DESC.
CREATE EXTENSION pg_stat_statements;
