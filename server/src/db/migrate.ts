import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartRefused } from '../lib/start-refused.ts';
import { programVersion } from '../version.ts';
import * as people from './migrations/0001-people.ts';
import * as creditsAndPlans from './migrations/0002-credits-and-plans.ts';
import * as sheetsAndBatches from './migrations/0003-sheets-and-batches.ts';
import * as billing from './migrations/0004-billing.ts';
import * as clients from './migrations/0005-clients.ts';
import * as crashes from './migrations/0006-crashes.ts';
import * as catalogue from './migrations/0007-catalogue.ts';
import * as ordersToLookAfter from './migrations/0008-orders-to-look-after.ts';
import * as reviews from './migrations/0009-reviews.ts';
import * as rowSecurity from './migrations/0010-row-security.ts';
import * as frozenAccounts from './migrations/0011-frozen-accounts.ts';
import * as givenBack from './migrations/0012-given-back.ts';
import * as plainNames from './migrations/0013-plain-names.ts';
import * as paymentMethodAndProvider from './migrations/0014-payment-method-and-provider.ts';
import * as searchAuditByRequest from './migrations/0015-search-audit-by-request.ts';
import * as storage from './migrations/0016-storage.ts';
import * as demoMarkAndStoredAnswers from './migrations/0017-demo-mark-and-stored-answers.ts';
import * as requestRefusals from './migrations/0020-request-refusals.ts';
import * as workbooks from './migrations/0022-workbooks.ts';
import * as notifications from './migrations/0024-notifications.ts';
import * as planTexts from './migrations/0027-plan-texts.ts';
import * as listsOfPeople from './migrations/0028-lists-of-people.ts';
import * as marks from './migrations/0030-marks.ts';
import * as fileChanges from './migrations/0031-file-changes.ts';
import * as judgements from './migrations/0032-judgements.ts';
import * as tokens from './migrations/0036-tokens.ts';
import * as growingLists from './migrations/0039-growing-lists.ts';
import * as modelFormats from './migrations/0040-model-formats.ts';
import * as overview from './migrations/0042-overview.ts';
import * as providers from './migrations/0044-providers.ts';
import * as ownDataInOrder from './migrations/0047-own-data-in-order.ts';
import * as resultsWithoutKey from './migrations/0048-results-without-key.ts';
import * as priceBySize from './migrations/0049-price-by-size.ts';
import * as sheetViews from './migrations/0053-sheet-views.ts';
import * as searchNames from './migrations/0055-search-names.ts';
import * as skippedRows from './migrations/0056-skipped-rows.ts';
import * as estimates from './migrations/0060-estimates.ts';
import * as economy from './migrations/0061-economy.ts';
import * as growingSearches from './migrations/0065-growing-searches.ts';
import * as searchPeople from './migrations/0066-search-people.ts';
import * as countsOfBatches from './migrations/0067-counts-of-batches.ts';
import * as pausedBatches from './migrations/0074-paused-batches.ts';
import * as packedRows from './migrations/0075-packed-rows.ts';
import * as knownLimits from './migrations/0076-known-limits.ts';
import * as countsOfAuditEntries from './migrations/0077-counts-of-audit-entries.ts';
import * as auditEntriesByIndex from './migrations/0078-audit-entries-by-index.ts';
import * as clientsInScope from './migrations/0079-clients-in-scope.ts';
import * as unverifiedPeople from './migrations/0080-unverified-people.ts';
import * as columnSizes from './migrations/0081-column-sizes.ts';
import * as costs from './migrations/0082-costs.ts';
import * as answerCounts from './migrations/0083-answer-counts.ts';
import * as modelsThatAreSetUp from './migrations/0084-models-that-are-set-up.ts';
import * as flexCosts from './migrations/0085-flex-costs.ts';
import * as costsOfFailedPrompts from './migrations/0086-costs-of-failed-prompts.ts';
import * as costSums from './migrations/0087-cost-sums.ts';
import * as transactionReceipts from './migrations/0088-transaction-receipts.ts';
import * as livingRequests from './migrations/0089-living-requests.ts';
import type { Db } from './transaction.ts';

/** Forward only, in one transaction, under an advisory lock on a shared database. */
const migrations: Record<string, Migration> = {
  '0001-people': people,
  '0002-credits-and-plans': creditsAndPlans,
  '0003-sheets-and-batches': sheetsAndBatches,
  '0004-billing': billing,
  '0005-clients': clients,
  '0006-crashes': crashes,
  '0007-catalogue': catalogue,
  '0008-orders-to-look-after': ordersToLookAfter,
  '0009-reviews': reviews,
  '0010-row-security': rowSecurity,
  '0011-frozen-accounts': frozenAccounts,
  '0012-given-back': givenBack,
  '0013-plain-names': plainNames,
  '0014-payment-method-and-provider': paymentMethodAndProvider,
  '0015-search-audit-by-request': searchAuditByRequest,
  '0016-storage': storage,
  '0017-demo-mark-and-stored-answers': demoMarkAndStoredAnswers,
  '0020-request-refusals': requestRefusals,
  '0022-workbooks': workbooks,
  '0024-notifications': notifications,
  '0027-plan-texts': planTexts,
  '0028-lists-of-people': listsOfPeople,
  '0030-marks': marks,
  '0031-file-changes': fileChanges,
  '0032-judgements': judgements,
  '0036-tokens': tokens,
  '0039-growing-lists': growingLists,
  '0040-model-formats': modelFormats,
  '0042-overview': overview,
  '0044-providers': providers,
  '0047-own-data-in-order': ownDataInOrder,
  '0048-results-without-key': resultsWithoutKey,
  '0049-price-by-size': priceBySize,
  '0053-sheet-views': sheetViews,
  '0055-search-names': searchNames,
  '0056-skipped-rows': skippedRows,
  '0060-estimates': estimates,
  '0061-economy': economy,
  '0065-growing-searches': growingSearches,
  '0066-search-people': searchPeople,
  '0067-counts-of-batches': countsOfBatches,
  '0074-paused-batches': pausedBatches,
  '0075-packed-rows': packedRows,
  '0076-known-limits': knownLimits,
  '0077-counts-of-audit-entries': countsOfAuditEntries,
  '0078-audit-entries-by-index': auditEntriesByIndex,
  '0079-clients-in-scope': clientsInScope,
  '0080-unverified-people': unverifiedPeople,
  '0081-column-sizes': columnSizes,
  '0082-costs': costs,
  '0083-answer-counts': answerCounts,
  '0084-models-that-are-set-up': modelsThatAreSetUp,
  '0085-flex-costs': flexCosts,
  '0086-costs-of-failed-prompts': costsOfFailedPrompts,
  '0087-cost-sums': costSums,
  '0088-transaction-receipts': transactionReceipts,
  '0089-living-requests': livingRequests,
};

export const latestMigration = Object.keys(migrations).at(-1) ?? '';
export const knowsMigration = (name: string): boolean => Object.hasOwn(migrations, name);

/** `upTo` names the last migration to run; without it all of them run. */
export async function migrate(db: Db, upTo?: string): Promise<void> {
  await assertNotNewer(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest();
  if (!error) return;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`The database could not be migrated: ${reason}`, { cause: error });
}

async function assertNotNewer(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('public.kysely_migration') is not null as there`.execute(db);
  if (!tables[0]?.there) return;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc`.execute(db);
  const unknown = rows.find(({ name }) => !knowsMigration(name));
  if (unknown)
    throw new StartRefused(
      `The database was written by a newer version of Rowmill (migration ${unknown.name}), and this is ${programVersion}. Start that version, or restore a backup. Nothing was changed.`,
    );
}

export async function lastMigrationOf(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? '';
}
