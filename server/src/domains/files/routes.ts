import type { Routes } from '../../handlers.ts';
import { keepSheet } from './keep-sheet.ts';
import { openOriginal } from './open-original.ts';
import { reviseSheet } from './revise-sheet.ts';
import { showSheet } from './show-sheet.ts';

export const fileRoutes = {
  saveFile: keepSheet,
  getFile: showSheet,
  reviseFile: reviseSheet,
  downloadUploadedCsv: openOriginal,
} satisfies Partial<Routes>;
