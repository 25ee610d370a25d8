import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Nothing is inlined: the pages' security policy allows no data address but for pictures.
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    target: 'es2022',
    // Every browser of that target follows such hints by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { main: join(import.meta.dirname, 'index.html'), sw: join(import.meta.dirname, 'src/pwa/offline-worker.ts') },
      output: { entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});
