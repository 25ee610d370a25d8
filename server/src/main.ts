import { storeCompiledCode } from './config/compiled-code.ts';

// Process 1 of a container ignores a signal without a handler. A killed start is completed by the
// next one.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
storeCompiledCode();
// Imported last, so that its compiled code is stored.
await import('./serve.ts');
