import { expect, type Page } from '@playwright/test';
import { readLocalStorage } from './screens.ts';

/** Makes a call as the person who is signed in on the page. */
export async function post(page: Page, path: string, data: object) {
  const token = await readLocalStorage<string>(page, 'userToken');
  const headers = { authorization: `Bearer ${token}` };
  const response = await page.request.post(`/api/${path}`, { data, headers });
  expect(response.status(), await response.text()).toBe(200);
  return response.json();
}
