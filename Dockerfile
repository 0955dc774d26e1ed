# Builds a program that serves an app, and keeps only the program, its page, and the files that they read.
#
#   docker build --tag coordinate .
#   docker run --rm --publish 8080:8080 --volume sessions:/var/lib/coordinate coordinate
#
# For an app of your own, copy this file beside your Package.swift and name your program. If Package.swift names this
# library by a path outside of its folder, name the library's folder as well:
#
#   docker build --build-arg PRODUCT=shop-server --build-context coordinate=../coordinate .

# An empty folder, which --build-context replaces.
FROM scratch AS coordinate


FROM swift:6.3-bookworm AS build

RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        binutils libmicrohttpd-dev libpq-dev libsqlite3-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*

COPY --from=coordinate / /coordinate/
WORKDIR /app
COPY . .

# The program, and the folder of its package.
ARG PRODUCT=coordinate-server
ARG PACKAGE=.
RUN --mount=type=cache,target=/build \
    swift build -c release --package-path "$PACKAGE" --scratch-path /build --product "$PRODUCT" --static-swift-stdlib \
    && mkdir -p /out/bin /out/config \
    && strip -o "/out/bin/$PRODUCT" "/build/release/$PRODUCT" \
    && cp -R /build/release/*.resources /out/bin \
    && for folder in config public; do if [ -d "$PACKAGE/$folder" ]; then cp -R "$PACKAGE/$folder" /out; fi; done


FROM debian:bookworm-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends libmicrohttpd12 libpq5 libsqlite3-0 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --shell /usr/sbin/nologin coordinate \
    && install --directory --owner=coordinate --mode=700 /var/lib/coordinate

# The program looks for its page in a folder beside itself, also if a link has started it.
WORKDIR /srv/coordinate
COPY --from=build /out ./
ARG PRODUCT=coordinate-server
RUN ln -s "/srv/coordinate/bin/$PRODUCT" /usr/local/bin/app

# Every setting in config/server.json has an environment variable.
ENV COORDINATE_HOST=0.0.0.0 \
    COORDINATE_PORT=8080 \
    COORDINATE_JOURNAL=sqlite:/var/lib/coordinate/sessions.sqlite

USER coordinate
VOLUME /var/lib/coordinate
EXPOSE 8080
STOPSIGNAL SIGTERM

# bash speaks enough HTTP for this, so the image needs no client.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$COORDINATE_PORT && printf 'GET /livez HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 status <&3 && [[ $status == *' 200 '* ]]"]

ENTRYPOINT ["app"]
CMD ["serve"]
