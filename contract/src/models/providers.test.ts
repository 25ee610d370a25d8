import { expect, it } from 'vitest';
import { usualLimitScope } from './providers.ts';

it.each([
  ['openai', 'https://api.openai.com/v1', 'model'],
  ['openai', 'https://API.GROQ.com:443/openai/v1', 'model'],
  ['openai', 'https://api.openai.com.evil.test/v1', 'key'],
  ['openai', 'http://127.0.0.1:11434/v1', 'key'],
  ['openai', '', 'key'],
  ['anthropic', 'http://127.0.0.1:9000/v1', 'model'],
  ['azure', 'https://name.openai.azure.com/openai', 'model'],
])('the limits of %s at %s are usually per %s', (kind, address, scope) => {
  expect(usualLimitScope(kind, address)).toBe(scope);
});
