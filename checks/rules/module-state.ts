import { parseSync } from 'oxc-parser';
import { type Node, walk } from '../syntax.ts';
import { type File, type Finding, isCode, isTest, lineAt, type Tree } from '../tree.ts';

export const name = 'module-state';

/** The modules that may have state, and why it belongs to the whole process, thread or page. */
const reasons: Readonly<Record<string, string>> = {
  'server/src/adapters/protocols/exchange.ts': 'adds a list of listeners to a signal',
  'server/src/db/embedded/embedded-worker.ts': 'a thread has one database',
  'server/src/db/transaction.ts': 'a chain of calls has one transaction',
  'server/src/domains/batches/marks/alike.ts': 'memory that each call fills again',
  'server/src/domains/batches/marks/language.ts': 'memory that each call fills again',
  'server/src/domains/batches/marks/refusals.ts': 'a table that is filled while loading',
  'server/src/lib/csv/append/encode-text.ts': 'the table of an encoding takes 0.1 s to make',
  'server/src/lib/event-loop.ts': 'a process has one event loop',
  'server/src/lib/ids.ts': 'the ids of a process sort by creation',
  'web/src/app/use-arrival.ts': 'a tab shows one page at a time',
  'web/src/features/ask/draft.ts': 'a page has one draft',
  'web/src/features/batches/judged-elsewhere.ts': 'a tab has one list of rows and its judgements',
  'web/src/features/identity/passwords/estimate-strength.ts': 'a table of another library',
  'web/src/lib/api/api-client.ts': 'a page has one session',
  'web/src/lib/api/query.ts': 'a page has one cache of answers',
  'web/src/lib/session.ts': 'a page has one session',
  'web/src/lib/settings.ts': 'a page loads the settings once',
  'web/src/lib/storage.ts': 'a page has one storage',
  'web/src/lib/api/reach.ts': 'a page has one server',
  'web/src/lib/toasts.ts': 'a page has one list of toasts',
};

/** Objects of these do not change, or not without a call that is found. */
const builtIn =
  /^(RegExp|Set|Map|URL|BlockList|Text(En|De)coder|(Int|Uint|Float)\d+Array|DisplayNames)$/;
const changing =
  /^(set|add|push|delete|clear|fill|splice|shift|unshift|pop|sort|reverse|copyWithin)$/;

interface Part extends Node {
  name?: string;
  kind?: string;
  static?: boolean;
  operator?: string;
  id?: Part;
  init?: Part;
  left?: Part;
  callee?: Part;
  object?: Part;
  property?: Part;
  argument?: Part;
  arguments?: Part[];
  expression?: Part;
  declaration?: Part;
  declarations?: Part[];
}

/** State belongs to an object that is made in one place and passed on. */
export function check(tree: Tree): Finding[] {
  const code = tree.filter(({ path }) => /^(contract|server|web)\/src\//.test(path));
  return code.filter((file) => isCode(file) && !isTest(file.path)).flatMap(checkFile);
}

function checkFile({ path, text }: File): Finding[] {
  const state = stateOf({ path, text });
  if (!reasons[path])
    return state.map(({ start }) => ({
      path,
      line: lineAt(text, start),
      wrong: 'state of the module',
      instead: 'make it a field of an object that is passed, such as Context',
    }));
  if (state.length > 0) return [];
  return [{ path, line: 1, wrong: 'has no state', instead: `remove it from the list of ${name}` }];
}

/** Variables, objects of classes, and what a function changes in a constant of the module. */
function stateOf({ path, text }: File): Part[] {
  const body = parseSync(path, text).program.body as unknown as Part[];
  const statements = body.map((statement) => statement.declaration ?? statement);
  const variables = statements.filter(({ type }) => type === 'VariableDeclaration');
  const constants = variables.flatMap(({ declarations = [] }) => declarations);
  const names = new Set(constants.map(({ id }) => id?.name));
  const found = new Set([
    ...variables.filter(({ kind }) => kind !== 'const'),
    ...constants.filter(({ init }) => isState(init)),
  ]);
  const addChange = (node: Node) => {
    const name = rootOf(changedBy(node));
    if (name && names.has(name)) found.add(node);
  };
  walk(statements, '', (node) => {
    if ((node as Part).static && node.type === 'PropertyDefinition') found.add(node);
    if (/Function/.test(node.type)) walk(node, '', addChange);
  });
  return [...found];
}

function isState(value: Part | undefined): boolean {
  if (value?.expression) return isState(value.expression);
  if (value?.type !== 'NewExpression') return false;
  const of = value.callee?.name ?? value.callee?.property?.name ?? '';
  return !builtIn.test(of) || (/^(Map|Set)$/.test(of) && value.arguments?.length === 0);
}

function changedBy({ type, operator, left, argument, callee }: Part): Part | undefined {
  if (type === 'AssignmentExpression') return left;
  if (type === 'UpdateExpression' || operator === 'delete') return argument;
  return changing.test(callee?.property?.name ?? '') ? callee?.object : undefined;
}

/** `a` of `a.b[0]`. */
function rootOf(value: Part | undefined): string | undefined {
  const inner = value?.object ?? value?.expression;
  return inner ? rootOf(inner) : value?.name;
}
