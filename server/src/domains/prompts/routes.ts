import type { Routes } from '../../core/handlers.ts';
import { listPromptHistory, listRecentPrompts } from './history.ts';
import { listModels } from './models.ts';
import { listOwnVariables, upsertVariable } from './variables.ts';

export const promptRoutes = {
  saveVariable: upsertVariable,
  getVariables: listOwnVariables,
  getModels: listModels,
  recentQuestions: listRecentPrompts,
  getQuestionsAsked: listPromptHistory,
} satisfies Partial<Routes>;
