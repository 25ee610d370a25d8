import type { Environment } from './env.ts';
import type { Problems } from './problems.ts';

/** Where traces of rows go. */
export function tracesConfig(env: Environment, problems: Problems) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_EXPORTER_OTLP_HEADERS: headers } = env;
  if (!address) return null;
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG);
  if (!(share >= 0 && share <= 1))
    problems.add('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  const url = `${problems.webAddress('OTEL_EXPORTER_OTLP_ENDPOINT', address)}/v1/traces`;
  return { url, headers: headersOf(headers, problems), share };
}

/** The value is secret, so the message does not repeat it. */
function headersOf(value: string, problems: Problems): Record<string, string> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '');
  const headers = pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return [name.trim(), rest.join('=').trim()] as const;
  });
  if (!headers.every(([name, text]) => /^[\w-]+$/.test(name) && text !== ''))
    problems.add('OTEL_EXPORTER_OTLP_HEADERS must have the form name=value,name=value.');
  return Object.fromEntries(headers);
}
