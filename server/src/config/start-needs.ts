import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { StartRefused } from '../lib/start-refused.ts';
import type { Config } from './config.ts';
import { mostConnections } from './limits.ts';
import { ConfigRefused } from './problems.ts';

/** For the database, stored files and some hundred clients. */
const besidesCalls = 200;
/** For the database and the program itself. */
const besidesConnections = 100;

/** Too few would leave calls and clients without connections, and nothing would name the reason. */
export function assertEnoughOpenFiles({ chat }: Pick<Config, 'chat'>): void {
  const needed = 2 * chat.concurrency + besidesCalls;
  const allowed = openFilesLimit();
  if (allowed >= needed) return;
  throw new ConfigRefused([
    `This process may open ${allowed} files and connections, but CHAT_CONCURRENCY=${chat.concurrency} needs ${needed}. ` +
      `Raise the limit (ulimit -n ${needed}, or LimitNOFILE of the service) or lower CHAT_CONCURRENCY.`,
  ]);
}

/**
 * A call needs a connection to the provider, and a client's connection may open a file. Each
 * network may use at most half of the places.
 */
export function connectionBounds({ chat }: Pick<Config, 'chat'>) {
  const left = (openFilesLimit() - 2 * chat.concurrency - besidesConnections) / 2;
  const total = Math.max(1, Math.min(mostConnections.total, Math.floor(left)));
  return { total, ofNetwork: Math.min(mostConnections.ofNetwork, Math.ceil(total / 2)) };
}

/** Node raises the soft limit to the hard one at its start. Windows has none. */
function openFilesLimit(): number {
  if (!process.report) return Number.POSITIVE_INFINITY;
  // Looking up names of connections can take seconds. The types lack this setting.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } };
  };
  const limit = Number(userLimits?.open_files?.soft ?? Number.NaN);
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit;
}

/** Makes the data directory of a first start. */
export function makeDataDirectory(directory: string): void {
  try {
    makeFolder(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new StartRefused(
      `The data directory ${directory} cannot be used (${message}). Give this user the right to write there, or start with another DATA_DIR.`,
      { cause: error },
    );
  }
}

/** In a folder such as /proc, Node's own way to make several folders never ends. */
function makeFolder(directory: string): void {
  const parent = dirname(directory);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

type Address = Pick<Config['http'], 'host' | 'port'>;

/** Returns the URL, which has the port that was free if any was asked for. */
export async function listen(server: FastifyInstance, wanted: Address): Promise<string> {
  const { host, port: wantedPort } = wanted;
  try {
    await server.listen({ host, port: wantedPort });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = addressRefusals[code]?.(wanted);
    throw message ? new StartRefused(message, { cause: error }) : error;
  }
  const { address, port } = server.server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const noAddress = ({ host }: Address) =>
  `This machine has no address ${host}. Start with another HOST.`;

const addressRefusals: Record<string, (wanted: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} of ${host} is in use. Stop the program that uses it, or start with another PORT.`,
  EACCES: ({ port }) => `This user may not use port ${port}. Start with a PORT above 1023.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
};
