import type { Endpoint } from '@rowmill/contract';
import { refuse } from '../core/refusal.ts';
import { required, unknownField } from '../texts/http.ts';

interface Issue {
  path: PropertyKey[];
  message: string;
  code?: string;
  /** Of an object that allows no further keys. */
  keys?: string[];
}

/** The browser may name the client acted for in any call; a call that is always for the caller ignores it. */
const alwaysKnown = ['switchedAs'];
const mostNamed = 20;
const longestName = 100;

/** One message for fields that a caller named: a few of them, and no more of a name than a screen shows. */
export function namedAs(message: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.slice(0, mostNamed).map((name) => [name.slice(0, longestName), message]),
  );
}

/**
 * Parses a request with the contract's schema. A refusal names every wrong field at once, and the fields that the call does
 * not know: dropping a misspelt one would answer another question than the one asked.
 */
export function parseRequest(
  endpoint: Endpoint,
  request: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = endpoint.request.safeParse(request);
  const unknown = unknownFields(endpoint, request);
  if (parsed.success && unknown.length === 0) return parsed.data as Record<string, unknown>;
  const fields = namedAs(unknownField, unknown);
  for (const issue of (parsed.error?.issues ?? []) as Issue[]) {
    const within = issue.keys?.map((key) => [...issue.path, key].join('.'));
    if (within) Object.assign(fields, namedAs(unknownField, within));
    else fields[issue.path.join('.') || 'request'] ??= messageOf(issue, request);
  }
  refuse('invalid_input', { fields });
}

/** An upload's further fields are stored with the sheet, and a loose object takes any. */
function unknownFields(endpoint: Endpoint, request: Record<string, unknown>): string[] {
  const { def } = endpoint.request._zod as unknown as { def: RequestDefinition };
  if (endpoint.accepts === 'multipart' || def.catchall) return [];
  return Object.keys(request).filter(
    (name) => !Object.hasOwn(def.shape, name) && !alwaysKnown.includes(name),
  );
}

/** What zod tells about an object. */
interface RequestDefinition {
  shape: object;
  catchall?: unknown;
}

function messageOf(issue: Issue, request: unknown): string {
  const isMissing =
    issue.code?.startsWith('invalid_') && valueAt(request, issue.path) === undefined;
  return isMissing ? required : issue.message;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
