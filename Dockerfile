# Works with any builder: it uses neither mounts nor a BuildKit front end.
#
#   docker build -t latchkey:0.1.0 .
#
# Node 24 has long-term support until April 2028; support of 22 ends a year earlier, and that of 20 has ended. From 24 on,
# the number of hashing threads follows the CPU limit of the container. Debian, because both Argon2 libraries ship binaries
# for glibc that need no compiler.
#
# A tag can change. For reproducible builds, use a digest:
#
#   docker buildx imagetools inspect --format '{{.Manifest.Digest}}' <image>
#   docker build --build-arg NODE_IMAGE=<image>@sha256:… -t latchkey:0.1.0 .
ARG NODE_IMAGE=node:24-trixie-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app

# Only the files that npm needs, so that code changes do not invalidate the layers of the dependencies.
FROM base AS manifests
ENV NPM_CONFIG_UPDATE_NOTIFIER=false
COPY package.json package-lock.json .npmrc ./
COPY packages/core/package.json packages/core/
COPY packages/http/package.json packages/http/
COPY packages/pages/package.json packages/pages/
COPY packages/express-adapter/package.json packages/express-adapter/
COPY packages/testing/package.json packages/testing/
COPY packages/operations/package.json packages/operations/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
COPY packages/verifier/package.json packages/verifier/
COPY tools/package.json tools/
# npm links commands only to existing files.
COPY packages/server/bin packages/server/bin
COPY packages/cli/bin packages/cli/bin

# Install scripts of dependencies are not run: platform packages provide what they would compile or download.
FROM manifests AS build
RUN npm ci --ignore-scripts
COPY tsconfig.base.json tsconfig.browser.json tsup.config.ts ./
COPY tools tools
COPY packages packages
# The bundles alone: declarations and source maps are for development only.
RUN node_modules/.bin/tsup --silent
RUN find packages -path '*/dist/*' -type f -name '*.map' -delete

FROM manifests AS dependencies
RUN npm ci --omit=dev --ignore-scripts

FROM base AS service
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="The standalone Latchkey authentication service and its command line." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# APP_ENV: nothing is embedded, and missing settings prevent the start. PATH: latchkey and latchkey-server by name.
ENV NODE_ENV=production \
    APP_ENV=production \
    PORT=3097 \
    PATH=/app/node_modules/.bin:$PATH
COPY --from=dependencies /app/ ./
COPY --from=build /app/packages/core/dist packages/core/dist
COPY --from=build /app/packages/http/dist packages/http/dist
COPY --from=build /app/packages/pages/dist packages/pages/dist
COPY --from=build /app/packages/express-adapter/dist packages/express-adapter/dist
COPY --from=build /app/packages/testing/dist packages/testing/dist
COPY --from=build /app/packages/operations/dist packages/operations/dist
COPY --from=build /app/packages/server/dist packages/server/dist
COPY --from=build /app/packages/cli/dist packages/cli/dist
COPY migrations migrations
COPY LICENSE ./

# A number, so that orchestrators see that it is not root. Any other id works too: the image writes no files.
USER 1000:1000
EXPOSE 3097
STOPSIGNAL SIGTERM
# Checks that the process is running. GET /ready reports whether it can take requests.
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# Node directly, so that signals reach it: on SIGTERM it answers open requests and exits with 0.
CMD ["node", "packages/server/dist/main.js"]
