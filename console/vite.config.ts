import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server that `npx vite console` passes calls of the API on to. */
const server = process.env.ANTEROOM_URL ?? 'http://127.0.0.1:4000'

/** What the server writes into the page is fixed while developing. */
const developmentBase: Plugin = {
  name: 'development-base',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll('__CONSOLE_BASE__', '/console/').replaceAll('__CSP_NONCE__', ''),
}

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Addresses relative to <base>: whoever serves the page says once where it is.
  base: command === 'serve' ? '/console/' : './',
  plugins: [react(), developmentBase],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    // The notices of what is in the bundle.
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '^/(?!console/)': server } },
}))
