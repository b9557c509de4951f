# Pathway as one image. `docker build .` makes what runs; `docker build --target migrate .` makes what brings a database to
# this version, once, before the processes start (compose.yaml, ops/kubernetes). The base has Node 24 and npm.
ARG BASE_IMAGE=docker.io/library/node:24-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /pathway
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY prisma.config.ts tsconfig.json vite.config.ts ./
COPY prisma prisma
COPY tools tools
COPY app app
# Pages share words and rules with the extensions: .dockerignore names which.
COPY extensions extensions
RUN node node_modules/prisma/build/index.js generate \
 && NODE_ENV=production node node_modules/@remix-run/dev/dist/cli.js vite:build \
 && node tools/image/collect-runtime.mjs /runtime

# Without the packages that only build and test.
FROM build AS production
RUN npm prune --omit=dev

# Has Prisma's command line. No port, no shop's key: only the database's owner logs in from here.
FROM ${BASE_IMAGE} AS migrate
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Pathway, migrations" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
WORKDIR /pathway
COPY --from=production /pathway /pathway
USER 10001:10001
CMD ["node", "app/commands/migrate.ts"]

FROM ${BASE_IMAGE} AS runtime
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Pathway" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production PATHWAY_HOST=0.0.0.0 PATHWAY_ADMIN_HOST=0.0.0.0 PATHWAY_ADMIN_PORT=9090
WORKDIR /pathway
# Everything belongs to root and nobody writes to it: the file system may be read-only. Only /tmp is needed.
COPY --from=build /runtime /pathway
# Compiled once, here: a start then compiles nothing (docs/decisions/0020).
RUN node -e "const { enableCompileCache, flushCompileCache } = require('node:module'); enableCompileCache('/pathway/.cache/compiled'); import('/pathway/app/process.ts').then(() => import('/pathway/app/tenant-rows.ts')).then(() => import('/pathway/app/clients/referral-service/client.ts')).then(() => import('/pathway/app/background.ts')).then(() => import('/pathway/app/jobs/definitions.ts')).then(({ createTasks }) => createTasks({})).then(() => flushCompileCache())"
# The folder of the keys that lie outside the database (PATHWAY_KEY_DIR): mount a volume there that every process shares.
# Likewise the folder of PDFs, where they are not to lie in the database (PATHWAY_DOCUMENTS=files).
RUN mkdir /keys /documents && chown 10001:10001 /keys /documents
VOLUME ["/keys", "/documents"]
USER 10001:10001
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PATHWAY_ADMIN_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# What the C library keeps for threads that Node does not have (docs/decisions/0021).
ENV MALLOC_ARENA_MAX=1
# Processes that only work are started with one more flag (compose.yaml, ops/kubernetes/worker.yaml).
CMD ["node", "--max-semi-space-size=4", "app/server.ts"]
