import { storeCompiledCode } from './config/compiled-code.ts';

// Process 1 of a container ignores a signal without a handler. A killed start is completed by the
// next one. The handlers stay: while others took their place, a signal could be lost.
const onSignal = { stop: (): void => process.exit(0) };
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => onSignal.stop());
storeCompiledCode();
// Imported last, so that its compiled code is stored.
const { serve } = await import('./serve.ts');
await serve(onSignal);
