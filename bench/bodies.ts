export function appointmentBody(patientId: string) {
  return {
    patient_id: patientId,
    start_timestamp: '2026-12-01T09:30:00.000Z',
    service_duration: 30,
    services: [],
    status: 'PENDING',
  }
}
