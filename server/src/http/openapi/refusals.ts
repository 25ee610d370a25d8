import { type Endpoint, type RefusalCode, refusals, refusalsOf } from '@rowmill/contract';

/** A call of another method has its own operation, or none. */
const notOfAnOperation: readonly RefusalCode[] = ['method_not_allowed'];

/** The responses of refused calls. Calls with the same codes for a status share one component. */
export class RefusalResponses {
  readonly components: Record<string, object> = {};

  /** The responses of one call, by status. */
  of(endpoint: Endpoint): Record<string, object> {
    const codes = [...refusalsOf(endpoint)].filter((code) => !notOfAnOperation.includes(code));
    const byStatus = Map.groupBy(codes.sort(), (code) => refusals[code].status);
    return Object.fromEntries(
      [...byStatus].map(([status, group]) => [status, this.#reference(status, group)]),
    );
  }

  #reference(status: number, codes: RefusalCode[]): object {
    const name = [status, ...codes].join('-');
    this.components[name] ??= describeResponse(status, codes);
    return { $ref: `#/components/responses/${name}` };
  }
}

function describeResponse(status: number, codes: readonly RefusalCode[]): object {
  const canWait = status === 429 || status === 503;
  return {
    description: codes.map((code) => refusals[code].message).join(' Or: '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(canWait ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Refusal' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: RefusalCode): object {
  return {
    status: false,
    code,
    message: refusals[code].message,
    request_id: '01994b1a-7c00-7000-8000-000000000001',
    ...(code === 'invalid_input' ? { fields: { email: 'Please fill this in.' } } : {}),
  };
}

/** The body of every refusal: `RefusalBody` of the contract. */
export const refusalSchema = {
  type: 'object',
  properties: {
    status: { type: 'boolean', const: false },
    code: { type: 'string', enum: Object.keys(refusals) },
    message: { type: 'string', description: 'What happened and what to do next, for people.' },
    request_id: { type: 'string' },
    fields: {
      type: 'object',
      description: 'What is wrong with each field of the request.',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['status', 'code', 'message', 'request_id'],
};
