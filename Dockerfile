# Another base, or the same by its digest: docker build --build-arg NODE_IMAGE=node@sha256:… .
ARG NODE_IMAGE=node:22.23.3-bookworm-slim

FROM $NODE_IMAGE AS build
WORKDIR /understudy
COPY . .
RUN npm ci && npm run build
# What the network needs at run time, and nothing of tests and builds. npm keeps TypeScript, an optional peer.
RUN npm ci --omit=dev --workspace @understudy/node --workspace @understudy/evm \
  && rm -rf node_modules/typescript node_modules/@typescript node_modules/.bin

FROM $NODE_IMAGE
ENV NODE_ENV=production
WORKDIR /understudy
COPY --from=build /understudy/node_modules node_modules
COPY --from=build /understudy/packages/evm/package.json packages/evm/
COPY --from=build /understudy/packages/evm/node_modules packages/evm/node_modules
COPY --from=build /understudy/packages/evm/dist packages/evm/dist
COPY --from=build /understudy/packages/evm/generated packages/evm/generated
COPY --from=build /understudy/packages/evm/licenses packages/evm/licenses
COPY --from=build /understudy/packages/node/package.json packages/node/
COPY --from=build /understudy/packages/node/bin packages/node/bin
COPY --from=build /understudy/packages/node/dist packages/node/dist
COPY --from=build /understudy/packages/node/generated packages/node/generated
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8545
ENV UNDERSTUDY_DATA_DIR=/data UNDERSTUDY_HOST=0.0.0.0
# Kubernetes has probes of its own, in the chart.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.UNDERSTUDY_PORT ?? 8545}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--v8-pool-size=0", "packages/node/bin/understudy.js"]
CMD ["start"]
