import { type File, type Finding, isCode, type Tree } from '../tree.ts';

export const name = 'duplicates';

const passage = 8;
const looked = /^(contract|server|web|fakes|checks)\//;
const reason = /\/\/ twice: \S+/;

interface Line {
  path: string;
  number: number;
  text: string;
}

/** No passage of eight lines occurs twice without a comment `// twice: <reason>`. */
export function check(tree: Tree): Finding[] {
  const seen = new Map<string, Line>();
  const findings: Finding[] = [];
  for (const file of tree.filter((file) => isCode(file) && looked.test(file.path))) {
    const lines = significantLines(file);
    for (let start = 0; start + passage <= lines.length; start += 1) {
      const [first, ...rest] = lines.slice(start, start + passage) as [Line, ...Line[]];
      const key = [first, ...rest].map(({ text }) => text).join('\n');
      const earlier = seen.get(key);
      if (!earlier) seen.set(key, first);
      else if (!isReasoned(file, first.number)) {
        findings.push(findingOf(first, earlier));
        start += passage - 1;
      }
    }
  }
  return findings;
}

/** Lines without imports, comments and lone punctuation; runs of spaces become one. */
function significantLines({ path, text }: File): Line[] {
  const bare = text.replace(
    /^import [^;]*;|^export \*[^;]*;|^export \{[^}]*\} from[^;]*;/gm,
    (found) => found.replace(/[^\n]/g, ''),
  );
  return bare
    .split('\n')
    .map((line, index) => ({ path, number: index + 1, text: line.trim().replace(/\s+/g, ' ') }))
    .filter((line) => /\w/.test(line.text) && !/^(\/\/|\/?\*)/.test(line.text));
}

function isReasoned({ text }: File, line: number): boolean {
  return text
    .split('\n')
    .slice(Math.max(0, line - 3), line + passage)
    .some((near) => reason.test(near));
}

function findingOf(here: Line, earlier: Line): Finding {
  return {
    path: here.path,
    line: here.number,
    wrong: `${passage} lines are already at ${earlier.path}:${earlier.number}`,
    instead: 'make them one function, or write `// twice: <reason>` above',
  };
}
