/**
 * A part of the tree: the pattern of its paths, and what it may import of ours besides itself. The
 * first that fits counts.
 */
interface Part {
  name: string;
  at: RegExp;
  /** Names of parts. `$1` is the domain or feature that the path names. */
  may: readonly string[];
}

const foundation = ['contract', 'lib', 'texts', 'core', 'db', 'job'];

const lowest = ['files', 'notifications', 'audit', 'requests'];
const belowBatches = [...lowest, 'identity', 'credits', 'plans'];

/** Who may import whom. */
const parts: readonly Part[] = [
  { name: 'contract', at: /^contract\//, may: [] },
  {
    name: 'server tests',
    at: /^server\/tests\//,
    may: ['contract', 'server', 'fakes', 'harness'],
  },
  { name: 'harness', at: /^server\/harness\//, may: ['contract', 'server', 'fakes'] },
  { name: 'any test', at: /\.test\.tsx?$|^web\/e2e\//, may: ['*'] },

  {
    name: 'main',
    at: /^server\/src\/(main\.ts$|cli\/)/,
    may: [
      'app',
      'contract',
      'config',
      'core',
      'db',
      'lib',
      'port',
      'domain identity',
      'domain plans',
    ],
  },
  {
    name: 'app',
    at: /^server\/src\/((app|routes|job-kinds|open-\w+)\.ts$|demo\/)/,
    may: ['server', 'contract', 'fakes'],
  },
  {
    name: 'core',
    at: /^server\/src\/core\//,
    may: ['contract', 'lib', 'texts', 'config', 'db', 'job', 'port'],
  },
  { name: 'config', at: /^server\/src\/config\//, may: ['contract', 'lib'] },
  { name: 'lib', at: /^server\/src\/lib\//, may: ['texts'] },
  { name: 'texts', at: /^server\/src\/texts\//, may: ['contract', 'lib'] },
  { name: 'db', at: /^server\/src\/db\//, may: ['contract', 'config', 'lib'] },
  { name: 'job', at: /^server\/src\/jobs\/(job|define-job)\.ts$/, may: ['core', 'db'] },
  { name: 'jobs', at: /^server\/src\/jobs\//, may: ['job', 'core', 'db', 'lib'] },
  {
    name: 'adapters',
    at: /^server\/src\/adapters\//,
    may: ['port', 'lib', 'texts', 'core', 'contract'],
  },
  {
    name: 'http',
    at: /^server\/src\/http\//,
    may: [...foundation, 'config', 'port', 'domain identity', 'domain requests'],
  },
  {
    name: 'port',
    at: /^server\/src\/(domains\/[^/]+|engine)\/port\.ts$/,
    may: ['lib', 'contract'],
  },
  {
    name: 'engine',
    at: /^server\/src\/engine\//,
    may: [
      ...foundation,
      'port',
      'domain batches',
      'domain prompts',
      'domain credits',
      'domain files',
    ],
  },

  ...domain('notifications', []),
  ...domain('audit', []),
  ...domain('requests', []),
  ...domain('files', ['audit', 'requests']),
  ...domain('identity', lowest),
  ...domain('credits', [...lowest, 'identity']),
  ...domain('plans', [...lowest, 'identity', 'credits']),
  ...domain('billing', belowBatches),
  ...domain('prompts', belowBatches),
  ...domain('batches', [...belowBatches, 'prompts']),
  ...domain('clients', ['audit', 'requests', 'identity', 'credits', 'plans', 'billing']),
  ...domain('catalogue', ['audit']),
  ...domain('providers', ['audit', 'requests', 'batches']),
  ...domain('operators', ['audit', 'identity', 'credits']),
  ...domain('account', [...belowBatches, 'billing', 'prompts', 'batches']),

  {
    name: 'web main',
    at: /^web\/src\/[^/]+\.tsx?$/,
    may: ['web app', 'web features', 'web entities', 'web ui', 'web lib', 'web texts'],
  },
  {
    name: 'web app',
    at: /^web\/src\/app\//,
    may: ['contract', 'web features', 'web entities', 'web ui', 'web lib', 'web texts'],
  },
  {
    name: 'web feature $1',
    at: /^web\/src\/features\/([^/]+)\//,
    may: ['contract', 'web entities', 'web ui', 'web lib', 'web texts'],
  },
  {
    name: 'web entities',
    at: /^web\/src\/entities\//,
    may: ['contract', 'web ui', 'web lib', 'web texts'],
  },
  { name: 'web ui', at: /^web\/src\/ui\//, may: ['contract', 'web lib', 'web texts'] },
  { name: 'web lib', at: /^web\/src\/(lib|pwa)\//, may: ['contract', 'web texts'] },
  { name: 'web texts', at: /^web\/src\/texts\//, may: [] },
  { name: 'web scripts', at: /^web\//, may: ['any test', 'contract', 'harness'] },

  { name: 'fakes', at: /^fakes\//, may: ['contract'] },
  { name: 'bench', at: /^bench\//, may: ['contract', 'server', 'fakes', 'harness'] },
  {
    name: 'checks',
    at: /^checks\//,
    may: ['contract', 'app', 'config', 'db', 'lib', 'domain requests'],
  },
];

function domain(name: string, downhill: readonly string[]): Part[] {
  const others = downhill.map((other) => `domain ${other}`);
  return [
    {
      name: `domain ${name}`,
      at: new RegExp(`^server/src/domains/${name}/`),
      may: [...foundation, 'port', ...others],
    },
  ];
}

export function partOf(path: string): Part | undefined {
  for (const part of parts) {
    const found = part.at.exec(path);
    if (found) return { ...part, name: part.name.replace('$1', found[1] ?? '') };
  }
  return undefined;
}

/** `server` and `web features` name all parts of a kind; `*` names every part. */
export function isAllowed(from: Part, to: { name: string; path: string }): boolean {
  if (from.name === to.name) return true;
  return from.may.some(
    (may) =>
      may === '*' ||
      may === to.name ||
      (may === 'server' && to.path.startsWith('server/src/')) ||
      (may === 'web features' && to.name.startsWith('web feature ')),
  );
}
