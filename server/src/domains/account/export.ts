import { Readable } from 'node:stream';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { type ExportedTable, listColumns, personalData, type Row, readRows } from './store.ts';

/** Pages are near 64 KiB: larger ones take more memory, and smaller ones more statements. */
const rowsAtFirst = 4;
const maximumRows = 2_000;
const targetBytes = 64 * 1024;

/** Everything stored about a person, as JSON with a list for each table, read while it is sent. */
export const exportAccount: Handler<'exportUserData'> = async (ctx, actor) => {
  return {
    name: 'rowmill-account.json',
    type: 'application/json; charset=utf-8',
    content: Readable.from(encoded(ctx, actor.id)),
  };
};

async function* encoded(ctx: Context, userId: string): AsyncGenerator<Buffer> {
  const leftOut: Record<string, string> = {};
  yield Buffer.from(`{\n"exported_at": ${JSON.stringify(ctx.clock.now())}`);
  for (const [name, table] of Object.entries(personalData)) {
    if (typeof table === 'string') {
      leftOut[name] = table;
      continue;
    }
    Object.assign(leftOut, omittedColumns(name, table));
    yield Buffer.from(`,\n${JSON.stringify(name)}: [`);
    let separator = '\n';
    for await (const texts of pagesOf(ctx, userId, { name, table })) {
      yield Buffer.from(separator + texts.join(',\n'));
      separator = ',\n';
    }
    yield Buffer.from('\n]');
  }
  yield Buffer.from(`,\n"left_out": ${JSON.stringify(leftOut, null, 2)}\n}\n`);
}

function omittedColumns(name: string, { omitted }: ExportedTable): Record<string, string> {
  return Object.fromEntries(
    Object.entries(omitted).map(([column, reason]) => [`${name}.${column}`, reason]),
  );
}

async function* pagesOf(
  ctx: Context,
  userId: string,
  source: { name: string; table: ExportedTable },
): AsyncGenerator<string[]> {
  const columns = await listColumns(ctx.db, source);
  let count = rowsAtFirst;
  for (let last: Row | undefined; ; ) {
    const page = { ...source, columns, last, count, bytes: targetBytes };
    const rows = await readRows(ctx.db, userId, page);
    last = rows.at(-1);
    if (!last) return;
    const texts = rows.map(({ json }) => json);
    yield texts;
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    count = Math.min(maximumRows, Math.ceil((rows.length * targetBytes) / bytes));
  }
}
