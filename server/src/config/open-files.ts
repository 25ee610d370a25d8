import type { Config } from './config.ts';
import { ConfigRefused } from './problems.ts';

/** For the database, stored files and some hundred clients. */
const besidesCalls = 200;

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
