import { storeCompiledCode } from './config/compiled-code.ts';

storeCompiledCode();
// Loaded only now, so that all of it is kept.
await import('./serve.ts');
