// Formatting: numbers, money, dates and distances as English readers expect them.

package handlers

import (
	"strconv"
	"time"
)

// number groups digits by thousands: "1,234,567".
func number(n int64) string { return string(appendNumber(make([]byte, 0, 20), n)) }

func appendNumber(b []byte, n int64) []byte {
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], n, 10)
	if digits[0] == '-' {
		b, digits = append(b, "−"...), digits[1:]
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, d)
	}
	return b
}

// count names a number of things: "1 home", "1,234 homes".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(int64(n)) + " " + many
}

// money writes an amount in whole units: "₽12,500,000".
func money(amount int64, currency string) string {
	return string(appendMoney(make([]byte, 0, 32), amount, currency))
}

// perM2 writes a price per square metre: "₽250,000/m²".
func perM2(amount int64, currency string) string {
	return string(append(appendMoney(make([]byte, 0, 32), amount, currency), "/m²"...))
}

func appendMoney(b []byte, amount int64, currency string) []byte {
	return appendNumber(append(b, symbol(currency)...), amount)
}

// shortMoney writes an amount for a narrow place: "₽12.5M".
func shortMoney(amount int64, currency string) string {
	value, unit := float64(amount), ""
	switch {
	case amount >= 1_000_000_000:
		value, unit = value/1e9, "B"
	case amount >= 1_000_000:
		value, unit = value/1e6, "M"
	case amount >= 1_000:
		value, unit = value/1e3, "K"
	}
	return symbol(currency) + decimal(value) + unit
}

// symbol returns the sign of a currency, or its code where we know no sign.
func symbol(currency string) string {
	switch currency {
	case "RUB":
		return "₽"
	case "INR":
		return "₹"
	}
	return currency + " "
}

// decimal writes at most one decimal place: "54.5", "54".
func decimal(v float64) string { return string(appendDecimal(make([]byte, 0, 16), v)) }

func appendDecimal(b []byte, v float64) []byte {
	b = strconv.AppendFloat(b, v, 'f', 1, 64)
	if b[len(b)-1] == '0' {
		return b[:len(b)-len(".0")]
	}
	return b
}

// change writes the step from one price to another: "−4.5%", "+12%". The old price must not be 0.
func change(from, to int64) string {
	percent := float64(to-from) / float64(from) * 100
	if percent < 0 {
		return "−" + decimal(-percent) + "%"
	}
	return "+" + decimal(percent) + "%"
}

// listed says when a home came on offer: as a distance as long as that is easier to read than the date.
func listed(t, now time.Time) string {
	switch days := int(now.Sub(t) / (24 * time.Hour)); {
	case days < 1:
		return "Listed today"
	case days == 1:
		return "Listed yesterday"
	case days < 30:
		return "Listed " + strconv.Itoa(days) + " days ago"
	}
	return "Listed on " + date(t)
}

func date(t time.Time) string { return t.Format("2 Jan 2006") }

func isoDate(t time.Time) string { return t.Format(time.DateOnly) }
