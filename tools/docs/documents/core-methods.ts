import { readdirSync, readFileSync } from 'node:fs';
import { ts } from '../../compiler/typescript.js';

/** A method as its class declares it. */
export interface CoreMethod {
  /** `input: LoginInput`, `client?`, … */
  parameters: string[];
  /** The type that is returned, or that its promise resolves to. */
  result: string;
  /** The first sentence of its comment. */
  summary: string;
}

type Holder = ts.ClassDeclaration | ts.InterfaceDeclaration;

/** The methods that hang on the interfaces of some folders, read from the sources without compiling them. */
export class CoreMethods {
  readonly #holders = new Map<string, Holder>();

  constructor(...folders: string[]) {
    for (const folder of folders) this.#read(folder);
  }

  #read(folder: string): void {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      const source = ts.createSourceFile(
        file,
        readFileSync(`${folder}/${file}`, 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      for (const node of source.statements) {
        const isHolder = ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node);
        if (isHolder && node.name) this.#holders.set(node.name.text, node);
      }
    }
  }

  /** @param path such as `login.withPassword`. @throws TypeError when nothing hangs there. */
  find(root: string, path: string): CoreMethod {
    const names = path.split('.');
    const name = names.pop() ?? '';
    const owner = names.reduce((holder, step) => this.#typeOf(holder, step), root);
    const method = this.#methodsOf(owner).find((candidate) => candidate.name.getText() === name);
    if (!method) throw new TypeError(`${root}: ${path} is no method`);
    return describe(method);
  }

  /** The paths of all public methods on the members of an interface, except those of some types. */
  pathsOf(root: string, except: readonly string[] = []): string[] {
    const members = this.#members(root).filter(ts.isPropertySignature);
    return members.flatMap((member) => {
      const type = typeName(member);
      const name = member.name.getText();
      if (except.includes(type)) return [];
      return this.#methodsOf(type).map((method) => `${name}.${method.name.getText()}`);
    });
  }

  /** Reports whether `auth` and `auth.admin` have the service of this path in common: `access` and `members`. */
  isShared(path: string): boolean {
    const [name = ''] = path.split('.');
    const onAuth = this.#members('Auth').find((member) => member.name?.getText() === name);
    return onAuth !== undefined && this.#typeOf('Auth', name) === this.#typeOf('Admin', name);
  }

  #typeOf(root: string, name: string): string {
    const member = this.#members(root)
      .filter(ts.isPropertySignature)
      .find((candidate) => candidate.name.getText() === name);
    if (!member) throw new TypeError(`${root} has no member ${name}`);
    return typeName(member);
  }

  /** Its own members and those it inherits. */
  #members(root: string): (ts.TypeElement | ts.ClassElement)[] {
    const holder = this.#holders.get(root);
    if (!holder) throw new TypeError(`${root} is no class or interface there`);
    const parents = (holder.heritageClauses ?? []).flatMap((clause) => clause.types);
    return [...holder.members, ...parents.flatMap((parent) => this.#members(parent.expression.getText()))];
  }

  #methodsOf(owner: string): ts.MethodDeclaration[] {
    return this.#members(owner)
      .filter(ts.isMethodDeclaration)
      .filter(({ name, modifiers }) => {
        const isStatic = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
        return !ts.isPrivateIdentifier(name) && !isStatic;
      });
  }
}

const typeName = ({ type }: ts.PropertySignature): string =>
  type?.getText().replace(' | undefined', '') ?? 'unknown';

function describe(method: ts.MethodDeclaration): CoreMethod {
  const result = method.type?.getText() ?? 'void';
  return {
    parameters: method.parameters.map(describeParameter),
    result: /^Promise<(.*)>$/.exec(result)?.[1] ?? result,
    summary: summaryOf(method),
  };
}

/** The client is the same everywhere, so its type is not repeated. */
function describeParameter(parameter: ts.ParameterDeclaration): string {
  const type = parameter.type?.getText().replaceAll(/\s+/g, ' ') ?? '';
  const name = ts.isObjectBindingPattern(parameter.name) ? nameAfter(type) : parameter.name.getText();
  const mark = (parameter.initializer ?? parameter.questionToken) ? '?' : '';
  return name === 'client' ? `client${mark}` : `${name}${mark}: ${type}`;
}

/** For a parameter that is taken apart where it is declared. */
const nameAfter = (type: string): string =>
  /^\w+$/.test(type) ? type.charAt(0).toLowerCase() + type.slice(1) : 'options';

function summaryOf(method: ts.MethodDeclaration): string {
  const [comment] = ts.getJSDocCommentsAndTags(method);
  const text = comment && ts.isJSDoc(comment) ? (ts.getTextOfJSDocComment(comment.comment) ?? '') : '';
  return /^.*?\.(?=\s|$)/.exec(text.replaceAll(/\s+/g, ' '))?.[0] ?? '';
}
