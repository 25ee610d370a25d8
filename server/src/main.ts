import { keepCompiledCode } from './config/compiled-code.ts';

keepCompiledCode();
// Loaded only now, so that all of it is kept.
await import('./serve.ts');
