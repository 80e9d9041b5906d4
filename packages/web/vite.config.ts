import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { listPackages } from '../../tooling/build/listPackages.mjs'

const packageDir = fileURLToPath(new URL('.', import.meta.url))

/** The network that `npm run dev` shows. */
const network = process.env.UNDERSTUDY_RPC_URL ?? 'http://127.0.0.1:8545'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    listPackages(join(packageDir, '../node/generated/dashboard.json'), packageDir, ['tailwindcss']),
  ],
  // From its sources: the dashboard is built before the packages are compiled.
  resolve: { alias: { '@understudy/client': fileURLToPath(new URL('../client/src', import.meta.url)) } },
  build: { outDir: '../node/generated/dashboard', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
  server: {
    proxy: {
      // Pages and requests share the address `/`: pages are asked for with GET.
      '/': {
        target: network,
        ws: true,
        changeOrigin: true,
        bypass: ({ method, url, headers }) => (method === 'GET' && !headers.upgrade ? url : undefined),
      },
    },
  },
})
