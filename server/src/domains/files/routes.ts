import type { Routes } from '../../core/handlers.ts';
import { reviseSheet } from './revisions.ts';
import { openOriginal, showSheet } from './sheets.ts';
import { storeSheet } from './uploads.ts';

export const fileRoutes = {
  saveFile: storeSheet,
  getFile: showSheet,
  reviseFile: reviseSheet,
  downloadUploadedCsv: openOriginal,
} satisfies Partial<Routes>;
