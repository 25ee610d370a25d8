import { type PGlite, protocol } from '@electric-sql/pglite';
import type { StatementResult } from './embedded-messages.ts';

const { serialize } = protocol;
type Answers = Awaited<ReturnType<PGlite['execProtocolStream']>>;

interface Prepared {
  name: string;
  parameterTypes: readonly number[];
  columns: readonly { name: string; dataTypeID: number }[];
}

/** Lists of other lengths make new statements; above this the least recently used are closed. */
const cachedAtMost = 300;

/** Statements parsed once and run in one exchange. PGlite's `query` takes six exchanges. */
export class PreparedStatements {
  readonly #database: PGlite;
  readonly #cached = new Map<string, Prepared>();
  #number = 0;

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** With `beginsTransaction` the statement follows `begin` in the same exchange. */
  run(
    text: string,
    values: readonly unknown[],
    { beginsTransaction }: { beginsTransaction: boolean },
  ): Promise<StatementResult> {
    return this.#database.runExclusive(async () => {
      const begin = beginsTransaction ? this.#bind(await this.#prepared('begin'), []) : [];
      const prepared = await this.#prepared(text);
      const answers = await this.#exchange(...begin, ...this.#bind(prepared, values));
      if (changesPlans(text)) await this.#close(this.#cached.size);
      return this.#resultOf(prepared, answers);
    });
  }

  /** Several statements at once, without values. */
  async runScript(text: string): Promise<StatementResult[]> {
    const results = await this.#database.exec(text);
    if (changesPlans(text)) await this.#database.runExclusive(() => this.#close(this.#cached.size));
    return results.map(({ rows, affectedRows }) => ({ rows, affectedRows: affectedRows ?? 0 }));
  }

  async #prepared(text: string): Promise<Prepared> {
    const cached = this.#cached.get(text) ?? (await this.#prepare(text));
    this.#cached.delete(text);
    this.#cached.set(text, cached);
    return cached;
  }

  async #prepare(text: string): Promise<Prepared> {
    if (this.#cached.size >= cachedAtMost) await this.#close(1);
    const name = `statement ${++this.#number}`;
    const answers = await this.#exchange(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    );
    const prepared: Prepared = { name, parameterTypes: [], columns: [] };
    for (const answer of answers) {
      if ('dataTypeIDs' in answer) prepared.parameterTypes = answer.dataTypeIDs as number[];
      if ('fields' in answer) prepared.columns = answer.fields as Prepared['columns'];
    }
    return prepared;
  }

  /** Closes the least recently used. */
  async #close(count: number): Promise<void> {
    const oldest = [...this.#cached].slice(0, count);
    for (const [text] of oldest) this.#cached.delete(text);
    await this.#exchange(...oldest.map(([, { name }]) => serialize.close({ type: 'S', name })));
  }

  #bind({ name, parameterTypes }: Prepared, values: readonly unknown[]): Uint8Array[] {
    const bound = values.map((value, index) => this.#serialize(value, parameterTypes[index] ?? 0));
    return [serialize.bind({ statement: name, values: bound }), serialize.execute({})];
  }

  /** On disk every write already went to the operating system, so there is nothing to sync. */
  #exchange(...messages: Uint8Array[]): Promise<Answers> {
    return this.#database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), {
      syncToFs: false,
    });
  }

  #serialize(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    return String(this.#database.serializers[type]?.(value) ?? value);
  }

  #resultOf({ columns }: Prepared, answers: Answers): StatementResult {
    const readers = columns.map(({ name, dataTypeID }) => ({
      name,
      type: dataTypeID,
      read: this.#database.parsers[dataTypeID],
    }));
    const result: StatementResult = { rows: [], affectedRows: 0 };
    for (const answer of answers) {
      if ('fields' in answer) {
        const cells = answer.fields as (string | null)[];
        const row: Record<string, unknown> = {};
        for (const [index, { name, type, read }] of readers.entries()) {
          const cell = cells[index] ?? null;
          row[name] = cell === null || !read ? cell : read(cell, type);
        }
        result.rows.push(row);
      } else if ('text' in answer) result.affectedRows += affectedRows(String(answer.text));
    }
    return result;
  }
}

/** Plans depend on definition and size of tables: made again after a change or checkpoint. */
function changesPlans(text: string): boolean {
  return /\b(create|alter|drop|checkpoint)\b/i.test(text);
}

/** 3 for the command tags `INSERT 0 3` and `UPDATE 3`. */
function affectedRows(completed: string): number {
  return /^(INSERT|UPDATE|DELETE|MERGE) /.test(completed) ? Number(completed.split(' ').at(-1)) : 0;
}
