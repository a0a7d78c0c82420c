// For `import()`, where the first call to another host is made: of a library in CommonJS the built program's import() has no names.
export { Agent, buildConnector, fetch, request } from 'undici'
