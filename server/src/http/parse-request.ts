import type { Endpoint } from '@rowmill/contract';
import type { ZodMiniType } from 'zod/mini';
import { refuse } from '../core/refusal.ts';
import { required, unknownField } from '../texts/http.ts';

interface Issue {
  path: PropertyKey[];
  message: string;
  code?: string;
  /** The unknown keys of an object that allows no others. */
  keys?: string[];
}

const mostNamed = 20;
const longestName = 100;

/** One message for fields that a caller named: a few of them, with shortened names. */
export function namedAs(message: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.slice(0, mostNamed).map((name) => [name.slice(0, longestName), message]),
  );
}

/**
 * Parses a request with the contract's schema. A refusal names the first wrong fields at once, and
 * unknown options of a strict object: without a misspelt one the answer would be another.
 */
export function parseRequest(
  endpoint: Endpoint,
  request: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = endpoint.request.safeParse(withoutNulls(endpoint, request));
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const fields: Record<string, string> = {};
  for (const issue of (parsed.error.issues as Issue[]).slice(0, mostNamed)) {
    const within = issue.keys?.map((key) => [...issue.path, key].join('.'));
    if (within) Object.assign(fields, namedAs(unknownField, within));
    else fields[issue.path.join('.') || 'request'] ??= messageOf(issue, request);
  }
  refuse('invalid_input', { fields });
}

/** A null for an optional field that the specification names means that it is absent. */
function withoutNulls({ body, request: schema }: Endpoint, request: Record<string, unknown>) {
  const { shape } = schema as { shape?: Record<string, ZodMiniType> };
  const isAbsent = (name: string, value: unknown) =>
    value === null && body?.includes(name) && shape?.[name]?.safeParse(undefined).success;
  return Object.fromEntries(
    Object.entries(request).filter(([name, value]) => !isAbsent(name, value)),
  );
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
