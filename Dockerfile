# The image runs "npm start" without npm: only the server's packages, as an ordinary user, on a read-only file system.
# `npm run container` runs these steps in a bare directory where there is no container engine.
FROM node:24.21.0-alpine AS build
WORKDIR /app
COPY . .
# Without scripts: the npm package of Node would install a Node for glibc in front of the image's own, which is for musl.
RUN npm ci --ignore-scripts
RUN npm run build
RUN npm ci --ignore-scripts --omit=peer --workspace=server --workspace=contract --workspace=fakes
# What running does not need: npm keeps the bundler, and packages bring their sources, tests and documents.
RUN rm -rf node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss* node_modules/jschardet/dist node_modules/pdfkit/.yarn server/tests
RUN find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete
RUN find node_modules -maxdepth 3 -type d \( -name test -o -name tests -o -name docs -o -name examples -o -name benchmarks \) -prune -exec rm -r {} +

FROM node:24.21.0-alpine
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# Compiled code cannot be kept on a read-only file system.
ENV NODE_DISABLE_COMPILE_CACHE=1
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json ./
COPY --from=build /app/contract ./contract
COPY --from=build /app/fakes ./fakes
COPY --from=build /app/server ./server
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/node_modules ./node_modules
RUN mkdir -p /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4400
HEALTHCHECK --interval=10s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 4400}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=16", "--no-parallel-scavenge", "--heap-growing-percent=50", "--invocation-count-for-turbofan=20000", "--liftoff-only", "--no-profile-guided-optimization", "server/src/main.ts"]
