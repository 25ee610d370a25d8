import { storeCompiledCode } from './config/compiled-code.ts';

storeCompiledCode();
// Imported last, so that its compiled code is stored.
await import('./serve.ts');
