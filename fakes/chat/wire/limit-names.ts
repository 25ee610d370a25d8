type Headers = Readonly<Record<string, string>>;

/** Changes OpenAI’s headers about limits to those of another provider; null leaves one out. */
type Change = (part: string, of: string, value: string) => [name: string, value: string] | null;

const changes = {
  openai: (part, of, value) => [`x-ratelimit-${part}-${of}`, value],
  /** Requests a day, tokens a minute, and seconds with a fraction. */
  cerebras: (part, of, value) => [
    `x-ratelimit-${part}-${of === 'requests' ? 'requests-day' : `${of}-minute`}`,
    part === 'reset' ? `${Number.parseFloat(value) / 1_000}` : value,
  ],
  mistral: (part, of, value) =>
    part === 'reset'
      ? null
      : [`x-ratelimit-${part}-${of === 'requests' ? 'req' : of}-minute`, value],
  /** Of old deployments on Azure. */
  remaining: (part, of, value) =>
    part === 'remaining' ? [`x-ratelimit-${part}-${of}`, value] : null,
} satisfies Record<string, Change>;

export type LimitNames = keyof typeof changes;

export function namedFor(names: LimitNames, headers: Headers): Record<string, string> {
  const change: Change = changes[names];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const [, part = '', of = ''] = /^x-ratelimit-(limit|remaining|reset)-(.+)$/.exec(name) ?? [];
      const changed = change(part, of, value);
      return changed ? [changed] : [];
    }),
  );
}
