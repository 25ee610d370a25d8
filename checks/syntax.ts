import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type File, lineAt } from './tree.ts';

export type Import = ReturnType<typeof importsOf>[number];

/**
 * All imports of a file: static, dynamic and re-exported. The target of a relative one is a path in
 * the tree, of another the package as written.
 */
export function importsOf({ path, text }: File) {
  const { module } = parseSync(path, text);
  const target = (written: string) =>
    written.startsWith('.') ? posix.join(posix.dirname(path), written) : written;
  const entered = module.staticImports.map(({ start, moduleRequest, entries }) => ({
    line: lineAt(text, start),
    target: target(moduleRequest.value),
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  const passedOn = module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest
        ? [{ line: lineAt(text, start), target: target(moduleRequest.value), isType }]
        : [],
    ),
  );
  const dynamic = module.dynamicImports.flatMap(
    ({ start, moduleRequest: { start: from, end } }) => {
      const written = /^['"`](.*)['"`]$/s.exec(text.slice(from, end))?.[1];
      return written ? [{ line: lineAt(text, start), target: target(written), isType: false }] : [];
    },
  );
  return [...entered, ...passedOn, ...dynamic];
}

export interface Node {
  type: string;
  start: number;
  end: number;
}

/** Every function of a file with the name it is known by and its length. */
export function functionsOf({ path, text }: File) {
  const found: { name: string; line: number; lines: number }[] = [];
  walk(parseSync(path, text).program, '', (node, name) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      return;
    const line = lineAt(text, node.start);
    found.push({ name, line, lines: lineAt(text, node.end) - line + 1 });
  });
  return found;
}

interface Call extends Node {
  callee?: Callee;
  arguments?: (Node & { value?: unknown })[];
}

interface Callee {
  name?: string;
  callee?: Callee;
  object?: Callee;
  tag?: Callee;
}

/** The titles of a test file, as written. */
export function testTitlesOf({ path, text }: File): Set<string> {
  const titles = new Set<string>();
  walk(parseSync(path, text).program, '', (node) => {
    const { type, callee, arguments: [title] = [] } = node as Call;
    if (type !== 'CallExpression' || !title || !/^(it|test)$/.test(rootOf(callee))) return;
    if (typeof title.value === 'string') titles.add(title.value);
    else if (title.type === 'TemplateLiteral')
      titles.add(text.slice(title.start + 1, title.end - 1));
  });
  return titles;
}

/** `it` of `it.each(…)(…)`. */
function rootOf(callee: Callee | undefined): string {
  const inner = callee?.callee ?? callee?.object ?? callee?.tag;
  return inner ? rootOf(inner) : (callee?.name ?? '');
}

export function walk(
  value: unknown,
  name: string,
  visit: (node: Node, name: string) => void,
): void {
  if (Array.isArray(value)) for (const item of value) walk(item, name, visit);
  if (!value || typeof value !== 'object' || Array.isArray(value)) return;
  const node = value as Node & { id?: { name?: string }; key?: { name?: string } };
  const own = node.id?.name ?? node.key?.name ?? (/Function/.test(node.type) ? name : '');
  if (typeof node.type === 'string') visit(node, own);
  for (const child of Object.values(node)) walk(child, own, visit);
}

interface Value extends Node {
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
  arguments?: (Node & { value?: unknown; property?: { name?: string } })[];
}

/**
 * Every regular expression of a file: literals and `RegExp(…)`. Null when it is computed from
 * anything but the source of another expression.
 */
export function regularExpressionsOf({ path, text }: File) {
  const found: { line: number; expression: RegExp | null }[] = [];
  walk(parseSync(path, text).program, '', (node) => {
    const { regex, callee, arguments: [pattern, flags] = [] } = node as Value;
    const line = lineAt(text, node.start);
    if (regex) found.push({ line, expression: new RegExp(regex.pattern, regex.flags) });
    if (callee?.name !== 'RegExp' || pattern?.property?.name === 'source') return;
    const isText = typeof pattern?.value === 'string';
    const written = isText ? new RegExp(String(pattern.value), String(flags?.value ?? '')) : null;
    found.push({ line, expression: written });
  });
  return found;
}
