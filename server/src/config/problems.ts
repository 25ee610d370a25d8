import { isIP } from 'node:net';
import { StartRefused } from '../lib/start-refused.ts';

/** This machine, as an address has it. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Reads single settings and collects their problems, so that all are reported at once. */
export class Problems {
  readonly #found: string[] = [];

  add(problem: string): void {
    this.#found.push(problem);
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw new ConfigRefused(this.#found);
  }

  wholeNumber(name: string, value: string, minimum: number, maximum: number): number {
    // That of an empty text would be 0.
    const number = value === '' ? Number.NaN : Number(value);
    if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
    this.add(`${name} is "${value}", but must be a whole number from ${minimum} to ${maximum}.`);
    return minimum;
  }

  webAddress(name: string, value: string): string {
    if (!hasProtocol(value, ['http:', 'https:']))
      this.add(
        `${name} is "${value}", but must be an address that starts with http:// or https://.`,
      );
    const { username = '', password = '' } = URL.canParse(value) ? new URL(value) : {};
    // They would be shown, but not sent.
    if (username || password) this.add(`${name} must not have a name or password before @.`);
    return value.replace(/(?<!\/)\/+$/, '');
  }

  /** Of the site, which is at the root of a host: the paths of its pages are added in emails. */
  siteAddress(name: string, value: string): string {
    const address = this.webAddress(name, value);
    if (!URL.canParse(address)) return address;
    const { pathname, search, hash } = new URL(address);
    if (pathname !== '/' || search || hash)
      this.add(`${name} must be only https:// and a host, without a path or a query.`);
    return address;
  }

  /** For addresses that get secret keys: https, this machine, or a private name without a dot. */
  safeAddress(name: string, value: string, { allowsPrivateName = false } = {}): string {
    const address = this.webAddress(name, value);
    const host = URL.canParse(address) ? new URL(address).hostname : '';
    const isLocal = loopbackNames.includes(host) || (allowsPrivateName && /^[\w-]+$/.test(host));
    if (address.startsWith('http:') && !isLocal)
      this.add(`${name} must start with https://, because secret keys are sent to it.`);
    return address;
  }

  /** True when all are set, null when none is; a part of them is a problem. */
  together<Name extends string>(env: Record<Name, string>, names: readonly Name[]): true | null {
    const present = names.filter((name) => env[name] !== '');
    if (present.length === names.length) return true;
    for (const name of names)
      if (present.length > 0 && !present.includes(name))
        this.add(`${present[0]} is set, but ${name} is not.`);
    return null;
  }

  databaseAddress(name: string, value: string): string {
    return this.#secretAddress(name, value, ['postgres:', 'postgresql:'], 'postgres://');
  }

  mailAddress(name: string, value: string): string {
    if (/^smtps?:\/\/$/.test(value)) this.add(`${name} names no mail server.`);
    return this.#secretAddress(name, value, ['smtp:', 'smtps:'], 'smtp:// or smtps://');
  }

  /** `name@example.com` or `Name <name@example.com>`. */
  sender(name: string, value: string): string {
    if (!/^([^<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value))
      this.add(`${name} is "${value}", but must be an email address.`);
    return value;
  }

  /** Alone, because links of pages are made from it. */
  emailAddress(name: string, value: string): string {
    if (!/^[^\s@<>]+@[^\s@<>]+$/.test(value))
      this.add(`${name} is "${value}", but must be an email address without a name.`);
    return value;
  }

  /** Other characters cannot be sent. The value is secret, so the message does not repeat it. */
  headerText(name: string, value: string): string {
    if (!/^[ -~]+$/.test(value))
      this.add(`${name} has a line break, or a character that is not ASCII. Copy it again.`);
    return value;
  }

  /** As the scheme `Bearer` sends it. The value is secret. */
  bearerToken(name: string, value: string): string {
    if (!/^[!-~]+$/.test(value))
      this.add(`${name} has a space, a line break, or a character that is not ASCII.`);
    return value;
  }

  namedAddresses(name: string, values: readonly string[]): { name: string; url: string }[] {
    return values.map((value) => {
      const [label = '', ...rest] = value.split('=');
      const url = rest.join('=');
      const isLink = URL.canParse(url) && new URL(url).protocol === 'https:';
      if (!isLink || label === '')
        this.add(`${name} has "${value}", but must be a list of Name=https://… links.`);
      return { name: label, url };
    });
  }

  /** IP addresses, networks such as `10.0.0.0/8`, and the names of usual ones. */
  networks(name: string, values: readonly string[]): string[] {
    for (const value of values) {
      if (namedNetworks.includes(value) || isNetwork(value)) continue;
      this.add(`${name} has "${value}", but must be a list of addresses or networks.`);
    }
    return [...values];
  }

  /** A list of name=number. */
  namedNumbers(name: string, values: readonly string[]): Record<string, number> {
    const names = values.map((value) => value.slice(0, value.lastIndexOf('=')).trim());
    if (names.some((one, at) => one === '' || names.indexOf(one) !== at || one.includes(';')))
      this.add(`${name} must name each model once, with commas between them.`);
    return Object.fromEntries(
      values.map((value) => {
        const at = value.lastIndexOf('=');
        const number = value.slice(at + 1).trim();
        return [
          value.slice(0, at).trim(),
          this.wholeNumber(`${name} (${value})`, number, 0, 1_000),
        ];
      }),
    );
  }

  choices<T extends string>(name: string, values: readonly string[], allowed: readonly T[]): T[] {
    const unknown = values.filter((value) => !allowed.includes(value as T));
    if (unknown.length > 0 || values.length === 0) {
      this.add(`${name} is "${values.join(',')}", but may only contain: ${allowed.join(', ')}.`);
    }
    return values.filter((value): value is T => allowed.includes(value as T));
  }

  /** The value may contain a password, so the message does not repeat it. */
  #secretAddress(name: string, value: string, protocols: string[], start: string): string {
    if (!hasProtocol(value, protocols))
      this.add(
        `${name} is set, but must be an address that starts with ${start}, with # and / of a password as %23 and %2F.`,
      );
    return value;
  }
}

/** Parsers take `https:a.test` for an address too, but links in emails would not work. */
function hasProtocol(value: string, protocols: readonly string[]): boolean {
  const isOne = protocols.some((start) => value.toLowerCase().startsWith(`${start}//`));
  return isOne && URL.canParse(value);
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128);
}

export class ConfigRefused extends StartRefused {
  constructor(problems: readonly string[]) {
    super(
      ['The configuration is not valid:', ...problems.map((problem) => `  - ${problem}`)].join(
        '\n',
      ),
    );
  }
}
