FROM node:22-bookworm-slim AS build
WORKDIR /understudy
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /understudy
COPY --from=build /understudy/package.json ./
COPY --from=build /understudy/node_modules node_modules
COPY --from=build /understudy/packages packages
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8545
ENV UNDERSTUDY_DATA_DIR=/data UNDERSTUDY_HOST=0.0.0.0
ENTRYPOINT ["node", "packages/node/bin/understudy.js"]
CMD ["start"]
