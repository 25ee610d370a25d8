import type { IncomingHttpHeaders } from 'node:http';
import { anthropicWire } from './anthropic.ts';
import { geminiWire } from './gemini.ts';
import { isRecord, type JsonRecord, type Wire } from './wire.ts';

/** Refuses strict schemas as OpenAI does. A schema that is not strict promises nothing. */
function withStrictSchema(request: JsonRecord): JsonRecord {
  const { response_format: format, ...others } = request;
  const wanted = isRecord(format) ? format.json_schema : undefined;
  if (!isRecord(wanted) || wanted.strict !== true) return others;
  const { properties = {}, required, additionalProperties } = wanted.schema as JsonRecord;
  if (additionalProperties !== false)
    throw new Error("'additionalProperties' is required to be supplied and to be false.");
  const names = Array.isArray(required) ? required : [];
  if (`${names.toSorted()}` !== `${Object.keys(properties as object).sort()}`)
    throw new Error("'required' is required to include every key in properties.");
  return request;
}

const openAiWire: Wire = {
  matches: (path) => path === '/v1/chat/completions',
  key: ({ authorization }) => authorization?.replace(/^Bearer /, ''),
  request: (json) => withStrictSchema(json as JsonRecord),
  answer: (completion) => completion,
  failure: (_status, error) => ({ error: { ...error, type: error.code ?? 'fake_error' } }),
};

const azurePath =
  /^\/openai\/(deployments\/([^/?]+)\/chat\/completions\?api-version=[\w-]+|v1\/chat\/completions)$/;

const azureWire: Wire = {
  ...openAiWire,
  matches: (path) => azurePath.test(path),
  /** Azure gives whole seconds. */
  limitHeaders: (stated) =>
    Object.fromEntries(
      Object.entries(stated).map(([name, value]) => [
        name,
        name.includes('-reset-') ? `${Math.ceil(Number.parseFloat(value) / 1_000)}` : value,
      ]),
    ),
  key: ({ 'api-key': key }) => (typeof key === 'string' ? key : undefined),
  failure: (status, error) => ({ error: { ...error, code: error.code ?? `${status}` } }),
};

const wires = [openAiWire, azureWire, anthropicWire, geminiWire];

export function wireOf(method: string, path: string): Wire | undefined {
  return method === 'POST' ? wires.find((wire) => wire.matches(path)) : undefined;
}

/** Whether the headers have the key in the way of any wire; null: none is needed. */
export function hasKey(headers: IncomingHttpHeaders, key: string | null): boolean {
  return key === null || wires.some((wire) => wire.key(headers) === key);
}

/** An answer in the form of the wire. What is broken on purpose stays as it is. */
export function translated(
  wire: Wire,
  { status, body, hasSchema }: { status: number; body: string | Buffer; hasSchema: boolean },
): string | Buffer {
  if (wire === openAiWire) return body;
  try {
    const json = JSON.parse(body.toString());
    return JSON.stringify(
      status === 200 ? wire.answer(json, hasSchema) : wire.failure(status, json.error),
    );
  } catch {
    return body;
  }
}
