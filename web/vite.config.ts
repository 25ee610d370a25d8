import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Modules that are always fetched together go into one file: a browser opens six connections at a
 * time, and thirty small files would queue and compress worse. A module goes into the first group
 * that fits it and all of its imports.
 */
const parts = [
  {
    name: 'entrance',
    tags: ['$initial' as const],
    test: /^(?!.*\/(index\.html|main\.tsx|offline-worker\.ts)$)/,
  },
  {
    name: 'form',
    test: /\/src\/(lib\/hooks\/use-(form|title)|ui\/form\/(form|text-field)|ui\/rich-text|features\/identity\/entrance)\.tsx?$/,
  },
  {
    name: 'shared',
    test: /\/src\/(entities|lib|texts|ui(?!\/grid))\/|\/(lucide-react|@tanstack\/(react-query|query-core))\//,
    minShareCount: 5,
  },
  {
    name: 'area',
    test: /\/src\/(app\/shell\/authorised-layout|entities\/(batch\/|storage-notice)|ui\/(stale-while-error|form\/form-dialog))|\/icons\/x\.m?js$/,
  },
  {
    name: 'batches',
    test: /\/src\/(entities\/(prompt|row)|features\/(ask|batches|sheets))\//,
    minShareCount: 2,
  },
];

/** The contract describes its calls for `/openapi.json`. No page needs that. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: (code, id) =>
    /\/contract\/src\/[\w/-]+\.ts$/.test(id)
      ? { code: code.replace(/^ {2}summary:\s+(?:'[^']*'|`[^`]*`),$/gm, ''), map: null }
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutSummaries],
  css: {
    // Readable in the inspector and in tests: `button.module.css` gives `button__primary`.
    modules: {
      generateScopedName: (name, path) => `${basename(path, '.module.css')}__${name}`,
    },
  },
  // The security policy allows data URLs for images only, so nothing is inlined.
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    // All styles are 14 KB when compressed; a file for each part would cost a page up to seven more
    // requests.
    cssCodeSplit: false,
    target: 'es2022',
    // Every browser of this target supports module preload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        main: join(import.meta.dirname, 'index.html'),
        sw: join(import.meta.dirname, 'src/pwa/offline-worker.ts'),
      },
      // Puts each text where it is used, so that a page fetches only its own.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // The names of all pages are in the first file, and random letters do not compress.
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash:7].js'),
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: parts.map((part, index) => ({ ...part, priority: parts.length - index })),
        },
      },
    },
  },
});
