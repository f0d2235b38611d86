# One image for all processes: web is the default; `node src/worker.ts` and `node src/migrate.ts` are the others.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Removed: the Node for machines with an older one, the compiler that a package may use for its types, and the previews
# and weights of fonts that no PDF uses.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/typescript node_modules/@typescript \
  && find node_modules/@expo-google-fonts -name '*.png' -delete \
  && find node_modules/@expo-google-fonts -name '*.ttf' ! -path '*/400Regular*' ! -path '*/700Bold*' -delete

FROM node:24-slim
ENV NODE_ENV=production
# With much memory, V8 would use 128 MB for new objects alone. With this limit a process fits into 512 MB.
ENV NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=320"
WORKDIR /app

COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY migrations ./migrations
COPY src ./src
# Served as they are.
COPY docs/agents.md docs/api-changelog.md docs/audit.md docs/automations.md docs/chat.md docs/openapi.json \
  docs/other-names.md docs/search.md docs/tools.md docs/versioning.md docs/webhook-vector.json docs/webhooks.md docs/workflows.md ./docs/

# Folder of attached files, unless a bucket is configured. A volume that web and worker share.
RUN mkdir files && chown node:node files
VOLUME /app/files

USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "src/web.ts"]
