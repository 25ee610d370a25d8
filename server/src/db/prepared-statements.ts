import { type PGlite, protocol } from '@electric-sql/pglite';
import type { StatementResult } from './embedded-messages.ts';

const { serialize } = protocol;
type Answers = Awaited<ReturnType<PGlite['execProtocolStream']>>;

interface Prepared {
  name: string;
  parameterTypes: readonly number[];
  columns: readonly { name: string; dataTypeID: number }[];
}

/** Statements with lists of many lengths come in many forms; of these, the ones that were used longest ago go. */
const keptStatements = 300;

/**
 * Statements of PGlite that are read once and then only filled in, in one exchange with the database. Its own `query` reads
 * each anew and needs six.
 */
export class PreparedStatements {
  readonly #database: PGlite;
  readonly #kept = new Map<string, Prepared>();
  #number = 0;

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** A transaction may begin with its first statement. */
  run(
    text: string,
    values: readonly unknown[],
    { begins }: { begins: boolean },
  ): Promise<StatementResult> {
    return this.#database.runExclusive(async () => {
      const beginning = begins ? this.#fill(await this.#prepared('begin'), []) : [];
      const prepared = await this.#prepared(text);
      const answers = await this.#exchange(...beginning, ...this.#fill(prepared, values));
      if (outdatesPlans(text)) await this.#forget(this.#kept.size);
      return this.#resultOf(prepared, answers);
    });
  }

  /** Several statements at once, without values. */
  async runScript(text: string): Promise<StatementResult[]> {
    const results = await this.#database.exec(text);
    if (outdatesPlans(text)) await this.#database.runExclusive(() => this.#forget(this.#kept.size));
    return results.map(({ rows, affectedRows }) => ({ rows, affectedRows: affectedRows ?? 0 }));
  }

  async #prepared(text: string): Promise<Prepared> {
    const kept = this.#kept.get(text) ?? (await this.#prepare(text));
    this.#kept.delete(text);
    this.#kept.set(text, kept);
    return kept;
  }

  async #prepare(text: string): Promise<Prepared> {
    if (this.#kept.size >= keptStatements) await this.#forget(1);
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

  /** Those that were used longest ago. */
  async #forget(count: number): Promise<void> {
    const oldest = [...this.#kept].slice(0, count);
    for (const [text] of oldest) this.#kept.delete(text);
    await this.#exchange(...oldest.map(([, { name }]) => serialize.close({ type: 'S', name })));
  }

  #fill({ name, parameterTypes }: Prepared, values: readonly unknown[]): Uint8Array[] {
    const filled = values.map((value, index) => this.#write(value, parameterTypes[index] ?? 0));
    return [serialize.bind({ statement: name, values: filled }), serialize.execute({})];
  }

  /** Files are kept by the operating system as they are written: there is nothing to bring to it afterwards. */
  #exchange(...messages: Uint8Array[]): Promise<Answers> {
    return this.#database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), {
      syncToFs: false,
    });
  }

  #write(value: unknown, type: number): string | null {
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

/** A plan is made for tables as they are: when they change, and now and then as they grow, it is to be made anew. */
function outdatesPlans(text: string): boolean {
  return /\b(create|alter|drop|checkpoint)\b/i.test(text);
}

/** Of `INSERT 0 3` and `UPDATE 3`, three. */
function affectedRows(completed: string): number {
  return /^(INSERT|UPDATE|DELETE|MERGE) /.test(completed) ? Number(completed.split(' ').at(-1)) : 0;
}
