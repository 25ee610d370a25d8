import { type Endpoint, endpoints } from '@rowmill/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { describeContract } from '../../src/http/openapi/document.ts';

interface Described {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses: Record<string, Described> };
}

const names = new Map<Endpoint, string>(
  Object.entries(endpoints).map(([name, endpoint]) => [endpoint, name]),
);

/** Fails when an answer has a status, a media type or a body that `/openapi.json` does not have. */
export async function assertDescribed(endpoint: Endpoint, response: Response): Promise<void> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const isJson = type === 'application/json' && !(response.ok && endpoint.sends);
  const body: unknown = isJson ? await response.clone().json() : undefined;
  assertAnswerDescribed(endpoint, { status: response.status, type, body });
}

interface Answer {
  status: number;
  type: string;
  /** Undefined when the body is no JSON. */
  body: unknown;
}

export function assertAnswerDescribed(endpoint: Endpoint, { status, type, body }: Answer): void {
  const call = names.get(endpoint);
  const response = responseOf(endpoint, status);
  if (!response)
    throw new Error(`${call} answered ${status}, which /openapi.json does not describe.`);
  if (!response.content?.[type])
    throw new Error(`${call} answered ${status} with ${type}, which /openapi.json does not name.`);
  if (body === undefined) return;
  const validate = validatorOf(`${response.pointer}/content/${escaped(type)}/schema`);
  if (validate(body)) return;
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the body'} ${message}`,
  );
  throw new Error(
    `${call} answered ${status} with a body that differs from /openapi.json: ${problems.join('; ')}. ${JSON.stringify(body).slice(0, 500)}`,
  );
}

function responseOf({ path, method }: Endpoint, status: number) {
  const { document } = load();
  const verb = method.toLowerCase();
  const own = document.paths[path]?.[verb]?.responses[status];
  const shared = own?.$ref?.split('/').at(-1);
  if (!shared)
    return own && { ...own, pointer: `/paths/${escaped(path)}/${verb}/responses/${status}` };
  return { ...document.components.responses[shared], pointer: `/components/responses/${shared}` };
}

const validators = new Map<string, ValidateFunction>();

/** Compiled when first used: a file of tests uses few of the schemas. */
function validatorOf(pointer: string): ValidateFunction {
  const compiled = validators.get(pointer) ?? load().ajv.compile({ $ref: `openapi#${pointer}` });
  validators.set(pointer, compiled);
  return compiled;
}

let loaded: { document: Document; ajv: Ajv2020 } | undefined;

function load() {
  if (loaded) return loaded;
  const document = describeContract(parseConfig(readEnvironment({}))) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, 'openapi');
  loaded = { document, ajv };
  return loaded;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
