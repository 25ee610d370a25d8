import { beforeAll } from 'vitest';
import { closeOpened } from './closing.ts';

// What it returns runs after every `afterAll` of the file.
beforeAll(() => closeOpened);
