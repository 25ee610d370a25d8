import { readFileSync } from 'node:fs';
import { catalogueLimits, countLimit } from '../contract/src/index.ts';
import { type Setting, type SettingName, settings } from '../server/src/config/env.ts';
import {
  filePace,
  jsonBytes,
  jsonValues,
  mostConnections,
  mostPipelined,
  requestTimes,
  uploadForm,
} from '../server/src/config/limits.ts';
import { statementSeconds } from '../server/src/db/embedded/embedded-database.ts';
import { connectionSettings } from '../server/src/db/postgres-client.ts';
import { fairShares } from '../server/src/domains/requests/fair-shares.ts';
import { rateLimits } from '../server/src/domains/requests/rate-limits.ts';
import { requestRate } from '../server/src/domains/requests/request-rate.ts';
import { day, minute } from '../server/src/lib/clock.ts';
import { importSeconds } from '../server/src/lib/csv/import/sheet-importer.ts';
import { yieldMilliseconds } from '../server/src/lib/event-loop.ts';
import { replyLimits } from '../server/src/lib/reply-limits.ts';
import { searched } from '../server/src/lib/search.ts';
import {
  expiredLinkRetention,
  leastBytes,
  sessionsPerPerson,
} from '../server/src/lib/stored-bounds.ts';

const page = 'docs/security.md';
const [start, end] = ['<!-- bounds -->', '<!-- end of bounds -->'];

/** Only the part between the two marks is made from the code. */
export function securityPage(): string {
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(start);
  const [, after = ''] = rest.split(end);
  const sections = [fairShareSection(), rateLimitSection(), sizeSection(), timeSection()];
  return `${before}${start}\n\n${sections.join('\n\n')}\n\n${end}${after}`;
}

const count = (number: number) => number.toLocaleString('en');
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const setting = (name: SettingName) =>
  `${count(Number((settings as Record<string, Setting>)[name]?.default))} (setting \`${name}\`)`;

function fairShareSection(): string {
  const rows = Object.values(fairShares).map((share) => [
    share.counts,
    share.perPerson,
    'total' in share ? share.total : '',
    share.waiting === Infinity ? 'all' : share.waiting,
    'refusal' in share ? share.refusal.retryAfterSeconds : '',
  ]);
  return [
    '### At once',
    'The bounds of each process. Further calls of a person wait their turn; when too many wait, a call gets `429` with `Retry-After`.',
    table(['counts', 'a person', 'all people', 'waiting', 'try again after seconds'], rows),
  ].join('\n\n');
}

function rateLimitSection(): string {
  const rows = Object.values(rateLimits).map(({ counts, attempts, windowMilliseconds }) => [
    counts,
    count(attempts),
    windowMilliseconds / minute,
  ]);
  return [
    '### Per time window',
    'The next attempt gets `429` with `Retry-After`. A network is one IPv4 address or an IPv6 /64.',
    table(['counts', 'attempts', 'minutes'], rows),
    `Also, a person makes at most ${count(requestRate.atOnce)} calls at once and ${count(requestRate.perSecond)} a second in each process. Callers of one network or IPv6 /48 without a known session, webhooks included, count together as one person. A call counts once for each ${requestRate.bytesPerCall / 1024} KiB of its body, rounded up, and ${requestRate.callsPerCpuMillisecond} times more for each full millisecond of checking its fields. A call that is refused because too much runs at once counts as ${requestRate.perRefusal}. Calls beyond this are refused after a second, before the session is looked up in the database.`,
    `Files of the site and addresses that nothing answers count for their network or IPv6 /48: ${count(filePace.atOnce)} at once and ${filePace.perSecond} a second. More wait their turn, at most ${filePace.longestWaitSeconds} seconds.`,
  ].join('\n\n');
}

function sizeSection(): string {
  const kib = (bytes: number) => `${bytes / 1024} KiB`;
  const mib = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
  const { fields, fieldBytes, metadataKeys, metadataBytes, fileNameCharacters } = uploadForm;
  const held = fairShares.uploads.perPerson * Number(settings.UPLOAD_MAX_MB.default);
  const rows = [
    ['JSON body of a request', kib(jsonBytes)],
    ['values in such a body', count(jsonValues)],
    [
      'connections to a process, of all; fewer when it may open fewer than about 20,000 files',
      count(mostConnections.total),
    ],
    [
      'connections of one network or IPv6 /48, except of `TRUSTED_PROXIES`',
      count(mostConnections.ofNetwork),
    ],
    ['requests that wait on one connection', count(mostPipelined)],
    [
      'answer of a provider; its list of models',
      `${mib(replyLimits.answerBytes)}; ${mib(replyLimits.listBytes)}`,
    ],
    ['values in either', `${count(replyLimits.values)}; more count as unreadable`],
    ['uploaded file, in MB', setting('UPLOAD_MAX_MB')],
    ['unfinished uploads of a person', `${held} MB: the uploads at once, each of full size`],
    ['fields sent with a file', `${fields}, each up to ${kib(fieldBytes)}`],
    ['metadata of a sheet', `${metadataKeys} keys, ${kib(metadataBytes)} in all`],
    ['file name', `${fileNameCharacters} characters; the rest is cut off`],
    ['rows of a sheet', setting('SHEET_MAX_ROWS')],
    ['columns of a sheet', setting('SHEET_MAX_COLUMNS')],
    ['record of a sheet, in KiB', setting('RECORD_MAX_KB')],
    ['cell of a sheet, in KiB', setting('CELL_MAX_KB')],
    ['filled-in prompt, in KiB', setting('PROMPT_MAX_KB')],
    ['what a search reads of each text', `the first ${count(searched.characters)} characters`],
    [
      'what a search of the names of batches reads',
      `the newest ${count(searched.names)}, which the page says`,
    ],
    ['what a search of the audit log by act reads', `the newest ${count(searched.newest)}`],
    [
      'what a search of the audit log by person reads',
      `all entries of up to ${count(searched.peopleByIndex)} people; of more, the newest ${count(searched.newest)}`,
    ],
    [
      'what a search of prompts, or of reasons in the audit log, reads',
      `the newest ${count(searched.prompts)}`,
    ],
    [
      'what a search of the names of people reads',
      `the newest ${count(searched.people)}, which the page says`,
    ],
    [
      'how far a long list is counted',
      `${count(countLimit({ start: 0, limit: 0 }) - 1)}, or the end of the page`,
    ],
    ['what is stored of a failed single prompt', `${count(searched.characters)} characters`],
    ['plans on sale, and packs on sale', count(catalogueLimits.onSale)],
    ['sessions of a person', `${sessionsPerPerson}; a sign-in ends the one unused for longest`],
    [
      'what a person stores, in MB',
      `${setting('STORAGE_QUOTA_MB')}: files, rows, answers, prompts, and ${kib(leastBytes.sheet)} for each sheet, ${kib(leastBytes.batch)} for each batch, ${leastBytes.row} bytes for each of its rows`,
    ],
  ];
  return [
    '### Sizes',
    'A larger request gets `413`, too much metadata `422`.',
    table(['of', 'at most'], rows),
  ].join('\n\n');
}

function timeSection(): string {
  const seconds = (milliseconds: number) => `${count(milliseconds / 1000)} s`;
  const rows = [
    ['headers of a request', seconds(requestTimes.headers)],
    ['body of a request', seconds(requestTimes.body)],
    ['body of an upload', seconds(requestTimes.upload)],
    ['answer that has begun and is not read', seconds(requestTimes.unread)],
    ['client that still sends after a refusal', seconds(requestTimes.linger)],
    ['connection to PostgreSQL', seconds(connectionSettings.connectionTimeoutMillis)],
    ['statement on PostgreSQL', seconds(connectionSettings.statement_timeout)],
    ['statement of a request on the embedded database', `${statementSeconds} s`],
    ['idle transaction', seconds(connectionSettings.idle_in_transaction_session_timeout)],
    ['CPU time to read an uploaded file', `${importSeconds.slow} s`],
    ['call to the model, in seconds', setting('CHAT_DEADLINE_SECONDS')],
    [
      'account whose address is never verified',
      `${expiredLinkRetention / day} days after the last email link to it expired`,
    ],
    ['loop over rows before other requests get a turn', `${yieldMilliseconds} ms`],
  ];
  return ['### Times', table(['of', 'at most'], rows)].join('\n\n');
}
