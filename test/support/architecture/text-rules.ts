import { ts } from '../../../tools/compiler/typescript.js';
import type { Rule } from './import-rules.js';
import { allNodes, type PackageManifest, type SourceFile } from './source-file.js';

const ENVIRONMENT_READER = 'packages/core/src/settings/environment.ts';
const HOLDS_SQL =
  /^packages\/(core\/src\/storage\/|(core|operations|testing)\/src\/.*-(repository|queries)(\.sql)?\.ts$)/;

export const environmentIsReadInOnePlace: Rule = (files) =>
  eachNode(
    files.filter(({ path }) => path !== ENVIRONMENT_READER),
    (node) => (readsEnvironment(node) ? `reads process.env; only ${ENVIRONMENT_READER} does` : undefined),
  );

export const sqlStaysInRepositories: Rule = (files) =>
  eachNode(
    files.filter(({ path }) => !HOLDS_SQL.test(path)),
    (node) => (isSql(node) ? 'holds SQL, which belongs into a repository, queries or storage/' : undefined),
  );

/** Rows of the app refer to users, and would block the deletion; the view `latchkey_people` promises that none disappears. */
export const usersAreNeverDeleted: Rule = (files) =>
  eachNode(files, (node) => {
    const isStatement =
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && DELETES_USERS.test(node.text);
    const isBuilt =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ['delete', 'del', 'truncate'].includes(node.expression.name.text) &&
      OF_USERS.test(node.expression.getText());
    return isStatement || isBuilt ? 'deletes rows of users; AccountRemoval leaves a tombstone' : undefined;
  });

const DELETES_USERS = /\b(?:delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?users\b/i;
const OF_USERS = /\(\s*['"`]users(?:\s+as\s+\w+)?['"`]\s*\)/;

/** The test kit moves `now()`; `CURRENT_TIMESTAMP`, which knex makes of `fn.now()`, it cannot. */
export const sqlAsksNow: Rule = (files) =>
  eachNode(files, (node) => {
    const isKnexNow =
      ts.isPropertyAccessExpression(node) &&
      node.name.text === 'now' &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'fn';
    const isKeyword =
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && CLOCK_KEYWORD.test(node.text);
    return isKnexNow || isKeyword
      ? 'asks for CURRENT_TIMESTAMP; ask for now(), which tests can move'
      : undefined;
  });

/** The log of an app that has given the verifier no logger. */
const CONSOLE_LOGGER = 'packages/verifier/src/logger.ts';

export const nothingWritesToTheConsole: Rule = (files) =>
  eachNode(
    files.filter(({ path }) => path !== CONSOLE_LOGGER),
    (node) => {
      const isConsole = ts.isPropertyAccessExpression(node) && isNamed(node.expression, 'console');
      return isConsole ? 'uses console; there is a logger' : undefined;
    },
  );

/** An app may have two copies of the core, and each has a class of its own. */
export const errorsAreKnownByTheirBrand: Rule = (files) =>
  eachNode(files, (node) => {
    const isInstanceOf =
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
    return isInstanceOf && /\bAuthError$/.test(node.right.getText())
      ? 'asks for instanceof AuthError, which is false for an error of another copy; AuthError.is(error) is true'
      : undefined;
  });

/** It costs every process 25 MB and a sixth of a second; those that have no passkeys, and the CLI, do without. */
export const webAuthnIsLoadedOnDemand: Rule = (files) =>
  eachNode(files, (node) => {
    if (!ts.isImportDeclaration(node) || !node.moduleSpecifier.getText().includes('simplewebauthn/server')) {
      return undefined;
    }
    const isTypeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return isTypeOnly ? undefined : 'loads the WebAuthn library at its start; import() it where it is used';
  });

/** An index file, or one that only passes on what others declare, unless the package publishes it. */
export const barrelsArePublishedEntries =
  (manifests: readonly PackageManifest[]): Rule =>
  (files) => {
    const entries = new Set(manifests.flatMap((manifest) => manifest.entries));
    return files
      .filter(({ path, syntax }) => !entries.has(path) && (/\/index\.[tj]s$/.test(path) || isBarrel(syntax)))
      .map(({ path }) => `${path} is a barrel that no package.json publishes`);
  };

/**
 * The files that write a table. A statement that decides on a user and writes something else at once is a part of that
 * something's repository.
 */
const WRITERS: Record<string, readonly string[]> = {
  sessions: ['sessions/session-repository.sql.ts', 'sessions/rotation-repository.ts'],
  users: [
    'users/user-repository.ts',
    'users/user-repository.sql.ts',
    'users/password-reset-repository.ts',
    'sessions/session-repository.sql.ts',
    'sign-in-devices/sign-in-device-repository.ts',
  ],
};
const WRITE = /\b(?:UPDATE|INSERT INTO|DELETE FROM|MERGE INTO)\s+(?:ONLY\s+)?(sessions|users)\b/gi;

export const tablesHaveOneWriter: Rule = (files) =>
  files.flatMap((file) =>
    eachNode([file], (node) => {
      const strange = writtenTables(node).find(
        (table) => !WRITERS[table]?.some((path) => file.path === `packages/core/src/${path}`),
      );
      return strange === undefined ? undefined : `writes ${strange}, which ${WRITERS[strange]?.[0]} does`;
    }),
  );

/** Returns the tables that a statement writes, or a call of the query builder. */
function writtenTables(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
    return [...node.text.matchAll(WRITE)].map(([, table = '']) => table.toLowerCase());
  }
  if (!ts.isCallExpression(node)) return [];
  const { expression } = node;
  const isBulk = isNamed(expression, 'bulkInsert');
  const isBuilt = ts.isPropertyAccessExpression(expression) && BUILDS_WRITE.test(expression.name.text);
  const text = isBulk ? (node.arguments[0]?.getText() ?? '') : isBuilt ? expression.expression.getText() : '';
  return [...text.matchAll(/['"`](sessions|users)(?:\s+as\s+\w+)?['"`]/g)].map(([, table = '']) => table);
}

const BUILDS_WRITE = /^(?:insert|update|increment|decrement|delete|del|truncate|merge)$/;

/** The file that adds rows to the audit log. It notifies the listeners. */
const AUDIT_WRITER = 'packages/core/src/audit/audit-repository.ts';

export const auditRowsNotifyListeners: Rule = (files) =>
  eachNode(
    files.filter(({ path }) => path !== AUDIT_WRITER),
    (node) => (addsAuditRows(node) ? 'adds rows to the audit log past AuditRepository, unheard' : undefined),
  );

function addsAuditRows(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
    return /INSERT\s+INTO\s+auth_audit_logs/i.test(node.text);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return /^(insert|into|batchInsert)$/.test(name.text) && /\bauth_audit_logs\b/.test(expression.getText());
}

const DOES_EFFECTS =
  /^packages\/core\/src\/(mail\/|deliveries\/|webhooks\/parts\.ts$|sessions\/session-revoker\.ts$)/;

/** A use case that wakes or marks by hand is forgotten by the next one, and runs before the commit when it is called within. */
export const effectsFollowTheirWrite: Rule = (files) =>
  eachNode(
    files.filter(({ path }) => /^packages\/(core|operations)\//.test(path) && !DOES_EFFECTS.test(path)),
    (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
      const { name, expression } = node.expression;
      const isWake = name.text === 'wake' && node.arguments.length === 0;
      const isMark = name.text === 'mark' && /\bmarkers$/i.test(expression.getText());
      return isWake || isMark
        ? 'does by hand what follows a commit; Outbox and SessionRevoker register it with the transaction'
        : undefined;
    },
  );

/** An effect after the painting moves the focus while the user types into the field, and selects half of what they typed. */
export const focusMovesBeforeThePainting: Rule = (files) =>
  eachNode(
    files.filter(({ path }) => path.startsWith('packages/pages/src/browser/')),
    (node) =>
      ts.isCallExpression(node) && isNamed(node.expression, 'useEffect') && MOVES_FOCUS.test(node.getText())
        ? 'moves the focus in useEffect, after the painting; useLayoutEffect does it before'
        : undefined,
  );

const MOVES_FOCUS = /\.(?:focus|select)\(|\bfocus[A-Z]\w*\(/;

/** `process.env`, `process['env']`, `{ env } = process` and `import { env } from 'node:process'`. */
function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return isNamed(node.expression, 'process') && node.name.text === 'env';
  }
  if (ts.isElementAccessExpression(node)) return isNamed(node.expression, 'process');
  if (ts.isVariableDeclaration(node)) {
    return ts.isObjectBindingPattern(node.name) && isNamed(node.initializer, 'process');
  }
  return ts.isImportDeclaration(node) && /^'(node:)?process'$/.test(node.moduleSpecifier.getText());
}

/** The prefix of a statement. Case counts: SQL is written in capitals, prose is not. */
const STATEMENT =
  /^\s*(WITH\s+\w+\s+AS|SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+(\w+\s+)?SET\s|DELETE\s+FROM\s|(CREATE|ALTER|DROP|TRUNCATE|LOCK)\s+[A-Z]+\s|SET\s+(LOCAL|SESSION)\s|BEGIN\b|COMMIT\b|ROLLBACK\b)/;
/** They look like functions and are keywords. */
const CLOCK_KEYWORD = /\b(current_timestamp|current_date|current_time|localtimestamp|localtime)\b/i;
/** Methods of the query builder that take SQL text. */
const RAW_METHODS = new Set(['whereRaw', 'orWhereRaw', 'joinRaw', 'orderByRaw', 'groupByRaw', 'havingRaw']);

function isSql(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node))
    return STATEMENT.test(node.text) && !isShown(node);
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  if (isQueryBuilder(expression)) return true;
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const method = expression.name.text;
  return RAW_METHODS.has(method) || (method === 'raw' && isQueryBuilder(expression.expression));
}

const isQueryBuilder = (node: ts.Node): boolean => isNamed(node, 'trx') || isNamed(node, 'knex');

/** An example for people to read, which nothing runs. */
const isShown = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAssignment(parent) && isNamed(parent.name, 'example');

function isBarrel(syntax: ts.SourceFile): boolean {
  const passesOn = (statement: ts.Statement) =>
    ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
  return syntax.statements.length > 0 && syntax.statements.every(passesOn);
}

const isNamed = (node: ts.Node | undefined, name: string): boolean =>
  node !== undefined && ts.isIdentifier(node) && node.text === name;

function eachNode(files: readonly SourceFile[], judge: (node: ts.Node) => string | undefined): string[] {
  return files.flatMap((file) =>
    [...allNodes(file.syntax)].flatMap((node) => {
      const breach = judge(node);
      if (breach === undefined) return [];
      const { line } = file.syntax.getLineAndCharacterOfPosition(node.getStart());
      return [`${file.path}:${line + 1} ${breach}`];
    }),
  );
}
