import { expect, it } from 'vitest';
import { mayCallAddress, safeLookup } from './outside-address.ts';

it.each([
  'https://api.openai.com/v1',
  'http://127.0.0.1:11434/v1',
  'http://[::1]:1234/v1',
  'http://[64:ff9b::808:808]/v1',
  'http://192.168.1.20/v1',
  'http://ollama:11434/v1',
  'http://host.docker.internal:11434/v1',
])('may call %s', (address) => {
  expect(mayCallAddress(address)).toBe(true);
});

it.each([
  'http://169.254.169.254/latest/meta-data',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b::6464:64c8]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://0.0.0.0:8080/',
  'http://100.100.100.200/',
  'http://metadata.google.internal/computeMetadata/v1',
  'http://METADATA/',
  'http://metadata.google.internal./',
  'http://nowhere:99999/',
])('may not call %s', (address) => {
  expect(mayCallAddress(address)).toBe(false);
});

it('does not connect to a name that leads to a refused address', async () => {
  const found = (host: string) =>
    new Promise((resolve) =>
      safeLookup(host, { all: false }, (error, address) => resolve(error?.code ?? address)),
    );
  expect(await found('169.254.169.254')).toBe('REFUSED_ADDRESS');
  expect(await found('127.0.0.1')).toBe('127.0.0.1');
});
