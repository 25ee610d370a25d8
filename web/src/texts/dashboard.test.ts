import { expect, it } from 'vitest';
import { batchesOfClients, ofYourClients } from './dashboard.ts';

it.each([
  ['one client', { clients: 1, total: 1 }, ['batches of one client', 'of your client']],
  ['all clients', { clients: 9, total: 9 }, ['batches of 9 clients', 'of your 9 clients']],
  [
    'more clients than are counted',
    { clients: 100, total: 101 },
    ['batches of your newest 100 clients', 'of your newest 100 clients'],
  ],
])('a figure says that it is of %s', (_case, counted, said) => {
  expect([batchesOfClients(counted), ofYourClients(counted)]).toEqual(said);
});
