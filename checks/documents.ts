import * as contract from '@rowmill/contract';
import {
  type Capability,
  can,
  capabilities,
  commonRefusals,
  type Endpoint,
  endpoints,
  type Host,
  type RefusalCode,
  type RoleName,
  refusalsOf,
  roles,
} from '@rowmill/contract';
import * as z from 'zod/mini';
import { type Setting, settingGroups } from '../server/src/config/env.ts';
import { securityPage } from './bounds.ts';

/** Every generated page, by its path. */
export const documents: Record<string, () => string> = {
  'docs/contract.md': contractPage,
  'docs/configuration.md': configurationPage,
  'docs/security.md': securityPage,
};

/** Shorter objects are described where they are sent. */
const leastFields = 8;
const hosts: Record<Host, string> = { auth: 'Auth host', plan: 'Plan host', main: 'Main host' };

function contractPage(): string {
  const sections = (Object.keys(hosts) as Host[]).map((host) => {
    const calls = (Object.entries(endpoints) as [string, Endpoint][]).filter(
      ([, endpoint]) => endpoint.host === host,
    );
    return [
      `## ${hosts[host]}`,
      ...calls.map(([name, endpoint]) => callSection(name, endpoint)),
    ].join('\n\n');
  });
  return [
    '# The contract',
    'Made by `npm run docs` from `contract/src`.',
    `Every call may refuse with ${listOf(commonRefusals)}.`,
    'Unless a call says otherwise, it takes and answers JSON, a signed-in person with a verified address may call it, and it acts for them. They may also be refused with `not_signed_in` and `verify_email`. Where a call can act for a client, a field of the request or the header `Acting-For` names the client.',
    'An unknown option in the object `query` or in the query string of a POST is refused with `invalid_input`, which names it. Other unknown fields of a body are ignored.',
    roleSection(),
    'Every limit is listed in [security](security.md#bounds).',
    ...sections,
    shapeSection(),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** Role by capability: the table in contract/src/permissions.ts. */
function roleSection(): string {
  const names = Object.keys(roles) as RoleName[];
  const rows = (Object.entries(capabilities) as [Capability, string][]).map(
    ([capability, meaning]) =>
      `| \`${capability}\` | ${meaning} | ${names.map((name) => (can(roles[name], capability) ? 'yes' : '')).join(' | ')} |`,
  );
  return [
    '## Roles and capabilities',
    [
      `| capability | meaning | ${names.join(' | ')} |`,
      `|---|---|${names.map(() => '---|').join('')}`,
      ...rows,
    ].join('\n'),
  ].join('\n\n');
}

function callSection(name: string, endpoint: Endpoint): string {
  const { method, path, summary, who, requires, idempotent, accepts, sends } = endpoint;
  const request = fieldsOf(endpoint.request);
  const answer = fieldsOf(endpoint.answer);
  const ownRefusals = [...refusalsOf(endpoint)].filter((code) => !isUsual(code));
  const lines = [
    ...(who === 'verified' ? [] : [`- Who may call: ${callers[who]}`]),
    ...(requires ? [`- Needs the capability \`${requires}\``] : []),
    ...subjectLines(endpoint),
    ...(idempotent ? ['- Accepts an `Idempotency-Key`'] : []),
    ...(request ? [`- Request${accepts ? ` (${forms[accepts]})` : ''}: ${request}`] : []),
    ...bodyLines(endpoint),
    ...(answer || sends ? [`- Answer: ${sends ? forms[sends] : answer}`] : []),
    ...(ownRefusals.length > 0 ? [`- Refusals: ${listOf(ownRefusals)}`] : []),
  ];
  return [`### ${name}`, `\`${method} ${path}\`: ${summary}`, lines.join('\n')]
    .join('\n\n')
    .trimEnd();
}

const callers = { anyone: 'anyone', session: 'also a person without a verified address' };
const forms = {
  multipart: 'multipart',
  nothing: 'without a body',
  file: 'a file',
  events: 'a stream of events',
};

function subjectLines({ actAs, names }: Endpoint): string[] {
  if (actAs === 'self') return [];
  const owner = names ? `; when none is named, for the owner of the ${names.a}` : '';
  return [`- Acts for the client named in \`${actAs}\`${owner}`];
}

/** Where the browser sends the fields of a call whose body the specification lists. */
function bodyLines({ body, request }: Endpoint): string[] {
  if (!body) return [];
  const { shape = {} } = request as { shape?: object };
  const others = Object.keys(shape).filter((name) => !body.includes(name) && name !== 'switchedAs');
  const inBody = body.map((name) => `\`${name}\``).join(', ') || 'empty';
  const inQuery = others.map((name) => `\`${name}\``).join(', ');
  return [`- Body: ${inBody}${inQuery && `; in the query string: ${inQuery}`}`];
}

const usualRefusals: readonly RefusalCode[] = [...commonRefusals, 'not_signed_in', 'verify_email'];
const isUsual = (code: RefusalCode) => usualRefusals.includes(code);
const listOf = (codes: readonly RefusalCode[]) => codes.map((code) => `\`${code}\``).join(', ');

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

function toJson(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

function fieldsOf(schema: z.ZodMiniType): string {
  const json = toJson(schema);
  const fields = Object.entries(json.properties ?? {});
  const optional = (name: string) => (json.required?.includes(name) ? '' : '?');
  return fields.map(([name, field]) => `\`${name}${optional(name)}\` ${kindOf(field)}`).join(', ');
}

/** Objects that many calls send, by the names of their fields. Each is described once. */
const shapes = new Map(
  Object.entries(contract).flatMap(([name, schema]) => {
    if (!(schema instanceof z.ZodMiniObject)) return [];
    const { properties = {} } = toJson(schema);
    const isLarge = Object.keys(properties).length >= leastFields;
    return isLarge ? [[Object.keys(properties).join(), { name, schema }] as const] : [];
  }),
);

function shapeSection(): string {
  return [
    '## Objects',
    'Sent by the calls above.',
    ...[...shapes.values()].flatMap(({ name, schema }) => [
      `### Object: ${name}`,
      fieldsOf(schema),
    ]),
  ].join('\n\n');
}

function kindOf(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' or ');
  if (schema.enum) return schema.enum.map(plainOrQuoted).join(' or ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.items) return `list of ${kindOf(schema.items)}`;
  if (schema.properties) {
    const names = Object.keys(schema.properties);
    const shape = shapes.get(names.join());
    return shape
      ? `[${shape.name}](#object-${shape.name.toLowerCase()})`
      : `{ ${names.join(', ')} }`;
  }
  return [schema.type ?? 'anything'].flat().join(' or ');
}

const plainOrQuoted = (value: unknown) =>
  typeof value === 'string' && !/^\w+$/.test(value) ? JSON.stringify(value) : String(value);

function configurationPage(): string {
  const groups = Object.entries(settingGroups).map(([group, settings]) => {
    const rows = Object.entries(settings).map(settingRow);
    return [
      `## ${group}`,
      ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n'),
    ].join('\n\n');
  });
  return `${['# Configuration', 'Made by `npm run docs` from `server/src/config/env.ts`.', ...groups].join('\n\n')}\n`;
}

function settingRow([name, setting]: [string, Setting]): string {
  const meaning = setting.secret ? `${setting.meaning} Secret.` : setting.meaning;
  return `| \`${name}\` | ${setting.default ? `\`${setting.default}\`` : ''} | ${meaning.replaceAll('|', '\\|')} |`;
}
