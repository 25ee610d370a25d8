import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Nothing is inlined: the pages' security policy allows no data address but for pictures.
  build: { outDir: 'dist', assetsInlineLimit: 0, target: 'es2022' },
});
