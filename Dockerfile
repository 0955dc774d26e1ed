# Builds the server and keeps only the program, the page, and the files that it reads.
#
#   docker build --tag coordinate .
#   docker run --rm --publish 8080:8080 --volume sessions:/var/lib/coordinate coordinate

FROM swift:6.3-bookworm AS build

RUN apt-get update \
    && apt-get install --yes --no-install-recommends binutils libmicrohttpd-dev libpq-dev libsqlite3-dev pkg-config python3 \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /src

# Dependencies first, because they change less often than the sources.
COPY Package.swift ./
RUN swift package resolve

COPY Sources ./Sources
COPY public ./public
COPY config/package/icu-data ./config/package/icu-data
# Without the names of functions, and without Foundation's data about languages: 52 MB instead of 131.
RUN less=$(config/package/icu-data /usr/lib/swift_static/linux/lib_FoundationICU.a /tmp/icu.o) \
    && swift build -c release --product coordinate-server --static-swift-stdlib -Xlinker "$less" -Xlinker /tmp/icu.o \
    && mkdir /out \
    && strip -o /out/coordinate-server .build/release/coordinate-server \
    && cp -R .build/release/coordinate_CoordinateServer.resources /out


FROM debian:bookworm-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends libmicrohttpd12 libpq5 libsqlite3-0 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --shell /usr/sbin/nologin coordinate \
    && install --directory --owner=coordinate --mode=700 /var/lib/coordinate \
    && ln -s ../lib/coordinate/coordinate-server /usr/local/bin/coordinate-server

WORKDIR /srv/coordinate
# The page is beside the program, and the link leads to both.
COPY --from=build /out /usr/local/lib/coordinate
COPY config/*.json ./config/

# Every setting in config/server.json has an environment variable.
ENV COORDINATE_HOST=0.0.0.0 \
    COORDINATE_PORT=8080 \
    COORDINATE_PUBLIC=/usr/local/lib/coordinate/coordinate_CoordinateServer.resources/public \
    COORDINATE_APP_DATA=/srv/coordinate/config/racing.json \
    COORDINATE_JOURNAL=sqlite:/var/lib/coordinate/sessions.sqlite

USER coordinate
VOLUME /var/lib/coordinate
EXPOSE 8080
STOPSIGNAL SIGTERM

# bash speaks enough HTTP for this, so the image needs no client.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$COORDINATE_PORT && printf 'GET /livez HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 status <&3 && [[ $status == *' 200 '* ]]"]

ENTRYPOINT ["coordinate-server"]
CMD ["serve"]
