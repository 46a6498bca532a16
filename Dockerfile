# The site as one static file in an image with nothing else: no shell, no package manager, no root.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /podbor .

FROM scratch
# For TLS to a database or Redis elsewhere.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /podbor /podbor
USER 65532:65532
ENV PORT=8080 LOG_FORMAT=json
EXPOSE 8080
# Without a shell there is no curl: the program asks itself. The first start seeds half a million rows.
HEALTHCHECK --interval=5s --timeout=3s --start-period=3m --start-interval=1s CMD ["/podbor", "healthcheck"]
ENTRYPOINT ["/podbor"]
