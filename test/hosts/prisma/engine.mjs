// Does what `prisma db push` and `prisma migrate reset` do, by the schema engine of the same release in WebAssembly: the
// command line downloads a native one, which tests must not depend on. `node engine.mjs push|reset <database schema>`
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { loadConfigFromFile } from '@prisma/config';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

const [command, databaseSchema] = process.argv.slice(2);
const { enginesVersion } = createRequire(import.meta.url)('@prisma/engines-version');

/** The type of `"char"` columns of PostgreSQL's catalog, and of text, by their object ids. */
const CHAR = 18;
const TEXT = 25;

/** The adapter does not know `"char"`, which the engine reads from the catalog. */
class CatalogAdapter extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    const { performIO, queryRaw } = adapter;
    const charColumns = new WeakMap();
    adapter.performIO = async (query) => {
      const result = await performIO.call(adapter, query);
      const found = result.fields.flatMap(({ dataTypeID }, at) => (dataTypeID === CHAR ? [at] : []));
      for (const at of found) result.fields[at].dataTypeID = TEXT;
      charColumns.set(query, found);
      return result;
    };
    adapter.queryRaw = async (query) => {
      const result = await queryRaw.call(adapter, query);
      for (const at of charColumns.get(query)) result.columnTypes[at] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}

async function loadEngine(schema, url) {
  const file = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'));
  const { instance } = await WebAssembly.instantiate(readFileSync(file), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  assert.equal(bindings.version(), enginesVersion, 'the engine is of another release');
  const adapter = new CatalogAdapter({ connectionString: url }, { schema: databaseSchema });
  const datamodels = schema.files.map(({ path, content }) => [path, content]);
  return bindings.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(adapter));
}

const { config, error } = await loadConfigFromFile({ configFile: 'prisma.config.ts' });
if (error) throw new Error(`prisma.config.ts: ${error._tag}`);
const schema = { files: [{ path: 'schema.prisma', content: readFileSync(config.schema, 'utf8') }] };
const filters = { externalTables: config.tables?.external ?? [], externalEnums: [] };
const engine = await loadEngine(schema, config.datasource.url);
const outcome =
  command === 'push'
    ? await engine.schemaPush({ force: false, schema, filters })
    : await engine.reset({ filter: filters });
console.log(JSON.stringify(outcome ?? null));
process.exit(0);
